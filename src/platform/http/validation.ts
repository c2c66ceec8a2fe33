import { applyDecorators, ValidationPipe, type ValidationError } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { rulesByMember } from './dto-members.js';
import { type ParameterFault, Problem } from './problem.js';
import { propertyRule } from './property-rule.js';

/** Validates every DTO: unknown members are refused, every fault is named, nothing is coerced silently. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: true, value: true }, // tells what is missing and what there is; goes no further than here
    exceptionFactory: (errors) => Problem.invalid(errors.flatMap((error) => faultsOf(error, ''))),
  });
}

function faultsOf(error: ValidationError, prefix: string): ParameterFault[] {
  const param = prefix === '' ? error.property : `${prefix}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    param,
    message: messageOf(error, rule, message),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, param))];
}

function messageOf({ property, value, target }: ValidationError, rule: string, told: string): string {
  if (rule === 'whitelistValidation') return `is not a known parameter; known are ${membersOf(target!).join(', ')}`;
  if (told === NOT_AN_OBJECT) return 'must be a JSON object';
  const message = told.startsWith(`${property} `) ? told.slice(property.length + 1) : told;
  if (value !== undefined) return message;
  return message.startsWith('must ') ? `is required and ${message}` : 'is required';
}

/** Not by `constructor` of the object itself: a caller may have sent a member of that name. */
function membersOf(dto: object): string[] {
  const { constructor } = Object.getPrototypeOf(dto) as object;
  return [...rulesByMember(constructor).keys()];
}

/** What Nest says of a body that is a list or a plain value. */
const NOT_AN_OBJECT = 'Validation failed (object is expected)';

/** Text of a query parameter to a number where it is written as one; anything else stays text and fails its validator. */
export const QueryNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value,
  );

/** {@link QueryNumber} of whole ones, which are written in digits alone. */
export const QueryInteger = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  );

/** `true` or `false` of a query parameter to a boolean; anything else stays text and fails `@IsBoolean`. */
export const QueryBoolean = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));

/** A calendar date of ISO 8601, alone or with a time of day: extended (`2026-11-21T06:00:00.5Z`) or basic (`20261121T060000,5+01`). */
const INSTANT =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:T(\d\d)(?:(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d{1,9}))?)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** ISO 8601 date or date-time to a Date; a date alone, or a time without offset, is UTC. Undefined when it is neither. */
export function parseInstant(text: string): Date | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [, year, , month, day, hour = '00', , minute = '00', second = '00', fraction = '0', offset, rest = '00'] =
    parts;
  const zone = offset === undefined ? 'Z' : `${offset}:${rest}`;
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zone}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  // Date rolls 2026-02-30 over to March; a day that does not exist is a mistake of the caller
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return rolled.getUTCDate() === Number(day) ? instant : undefined;
}

/** An instant whose `+` a query has made a space. */
const LOST_PLUS = /T[\d:.,]+ \d{2}(:?\d{2})?$/;

/** A query parameter that is an ISO 8601 instant, turned into a Date. */
export const QueryInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (parseInstant(value) ?? value) : value)),
    propertyRule('isInstant', (value) => {
      if (value instanceof Date) return undefined;
      const advice = LOST_PLUS.test(String(value)) ? '; write the + of its offset as %2B' : '';
      return `must be an ISO 8601 date or date-time such as 2026-11-21T06:00:00Z${advice}`;
    }),
  );
