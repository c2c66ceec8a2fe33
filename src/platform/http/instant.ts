import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { propertyRule } from './property-rule.js';

/** A calendar date of ISO 8601, alone or with a time of day: extended (`2026-11-21T06:00:00.5Z`) or basic (`20261121T060000,5+01`). */
const INSTANT =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:T(\d\d)(?:(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d{1,12}))?)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** The last that RFC 3339, in which instants are told, can write. */
export const LATEST_INSTANT = new Date('9999-12-31T23:59:59.999Z');

/**
 * ISO 8601 date or date-time to a Date; a date alone, or a time without offset, is UTC. Undefined when it is neither, and where UTC has
 * it before the year 0 or after 9999, which RFC 3339 cannot write.
 */
export function parseInstant(text: string): Date | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [, year, , month, day, hour = '00', , minute = '00', second = '00', fraction = '0', offset, rest = '00'] =
    parts;
  const zone = offset === undefined ? 'Z' : `${offset}:${rest}`;
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zone}`);
  if (Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 0 || instant > LATEST_INSTANT) return undefined;
  // Date rolls 2026-02-30 over to March; a day that does not exist is a mistake of the caller
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return rolled.getUTCDate() === Number(day) ? instant : undefined;
}

/** The space before an offset, which was an unescaped `+` in a query: form encoding reads it as a space. */
const LOST_PLUS = /(?<=T[\d:.,]+) (?=\d{2}(:?\d{2})?$)/;

/** A parameter or member that is an ISO 8601 instant; turned into a Date. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (parseInstant(value.replace(LOST_PLUS, '+')) ?? value) : value,
    ),
    propertyRule('isInstant', (value) =>
      value instanceof Date ? undefined : 'must be an ISO 8601 date or date-time such as 2026-11-21T06:00:00Z',
    ),
  );
