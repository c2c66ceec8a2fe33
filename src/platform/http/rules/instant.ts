import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { propertyRule } from './property-rule.js';

/** A calendar date of ISO 8601, alone or with a time of day: extended (`2026-11-21T06:00:00.5Z`) or basic (`20261121T060000,5+01`). */
const INSTANT =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:T(\d\d)(?:(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d{1,12}))?)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** The latest instant that RFC 3339, the output format, can represent. */
export const LATEST_INSTANT = new Date('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 date or date-time; a date alone, or a time without offset, is UTC. Undefined if it is neither, or if in UTC it
 * falls before the year 0 or after 9999, which RFC 3339 cannot represent.
 */
export function parseInstant(text: string): Date | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [, year, , month, day, hour = '00', , minute = '00', second = '00', fraction = '0', offset, rest = '00'] =
    parts;
  const zone = offset === undefined ? 'Z' : `${offset}:${rest}`;
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zone}`);
  if (Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 0 || instant > LATEST_INSTANT) return undefined;
  // Date rolls 2026-02-30 over to March; a nonexistent day is the caller's mistake
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return rolled.getUTCDate() === Number(day) ? instant : undefined;
}

/** The space before an offset that was an unescaped `+` in a query: form decoding turns it into a space. */
const LOST_PLUS = /(?<=T[\d:.,]+) (?=\d{2}(:?\d{2})?$)/;

/** A parameter or member that is an ISO 8601 instant; converted to a Date. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (parseInstant(value.replace(LOST_PLUS, '+')) ?? value) : value,
    ),
    propertyRule('isInstant', (value) =>
      value instanceof Date ? undefined : 'must be an ISO 8601 date or date-time such as 2026-11-21T06:00:00Z',
    ),
  );
