import { Transform } from 'class-transformer';

const trim = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** Trims a text, or each text of a list, before the validators see it, as uploads do. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(trim) : trim(value)));
