import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { OptionalProperty } from './optional-property.js';
import { requireOrder } from '../validation/range-order.js';

/** A month as callers write it, in a year that PostgreSQL accepts: `YYYY-MM`, or its first day. */
const MONTH = /^[1-9]\d{3}-(0[1-9]|1[0-2])(-01)?$/;

interface MonthDocument {
  readonly description?: string;
  readonly example: string;
  /** Whether null means the same as omitting it. */
  readonly nullable?: boolean;
}

/** A required month: documents and validates the member. The engine's `parseMonth` reads it. */
export const Month = (documented: MonthDocument): PropertyDecorator =>
  applyDecorators(ApiProperty({ ...documented, ...TEXT }), IsMonth());

/** A {@link Month} that may be omitted. */
export const OptionalMonth = (documented: MonthDocument): PropertyDecorator =>
  applyDecorators(OptionalProperty({ ...documented, ...TEXT }), IsMonth());

const TEXT = { type: String, pattern: MONTH.source };

const IsMonth = (): PropertyDecorator => Matches(MONTH, { message: 'must be a month such as 2026-09 or 2026-09-01' });

/** Refuses a range of months that ends before it begins. @throws {Problem} 400 naming `to` */
export function requireMonthOrder({ from = '', to }: { readonly from?: string; readonly to?: string }): void {
  // both forms of a month begin with YYYY-MM, which sorts chronologically
  if (to !== undefined) requireOrder({ from: from.slice(0, 7), to: to.slice(0, 7) });
}
