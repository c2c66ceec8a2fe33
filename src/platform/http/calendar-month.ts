import { Matches } from 'class-validator';

/** A month as callers write it, of a year that PostgreSQL takes: `YYYY-MM`, or its first day. */
export const MONTH = /^[1-9]\d{3}-(0[1-9]|1[0-2])(-01)?$/;

/** A month as {@link MONTH} has it; `parseMonth` of the engine reads it. */
export const IsMonth = (): PropertyDecorator =>
  Matches(MONTH, { message: 'must be a month such as 2026-09 or 2026-09-01' });
