import { Transform } from 'class-transformer';

/** Converts a query parameter that is a number; anything else stays text and fails its validator. */
export const QueryNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value,
  );

/** {@link QueryNumber} for integers, written only with digits. */
export const QueryInteger = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  );
