import { applyDecorators } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { TextQuery } from '../../platform/http/rules/narrowing-query.js';
import { IsNotEmptyText } from '../../platform/http/rules/not-empty.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';

/** The `series_id` filter of a list of a run's series. */
export const OnlySeries = (): PropertyDecorator =>
  applyDecorators(
    OptionalProperty({
      description: 'Only this series: its id or its unique_id.',
      type: String,
      minLength: 1,
      maxLength: 255,
    }),
    IsString(),
    IsNotEmptyText(),
    MaxLength(255, { message: 'must have at most 255 characters' }),
  );

/** The `category` filter of such a list. */
export const OnlyCategory = (): PropertyDecorator => TextQuery('Only series in this category.', 'Coffee');
