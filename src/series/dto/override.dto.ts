import { ApiProperty } from '@nestjs/swagger';
import { IsNumber, IsString, Max, Min } from 'class-validator';
import { nullableInstant, nullableString } from '../../platform/http/openapi/api-properties.js';
import { Month, OptionalMonth } from '../../platform/http/rules/calendar-month.js';
import { IsInstant } from '../../platform/http/rules/instant.js';
import { IsNotEmptyText } from '../../platform/http/rules/not-empty.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { PageQueryDto } from '../../platform/http/page-query.js';
import { QueryFlag } from '../../platform/http/rules/flag.js';
import { IsText } from '../../platform/http/rules/text.js';
import { OVERRIDE_KINDS, type OverrideKind } from '../overrides/override.js';
import { SERIES_PROPERTY } from './series-properties.js';

const MAX_OVERRIDE = 1e15;
const VALUE = { message: `must be a number between -${MAX_OVERRIDE} and ${MAX_OVERRIDE}` };

/** The series and month an override is for. */
export class OverrideKeyDto {
  @ApiProperty({ description: 'Id or unique_id of the series.', type: String, minLength: 1, example: 'SKU-1001' })
  @IsNotEmptyText()
  @IsString()
  series_id!: string;

  @Month({
    description:
      'Forecast month. When creating an override: from the first month of demand of the series up to ten years ahead.',
    example: '2026-12-01',
  })
  month!: string;
}

export class ListOverridesDto extends PageQueryDto {
  @OptionalProperty({
    description: 'Only overrides of this series: its id or unique_id.',
    type: String,
    minLength: 1,
  })
  @IsNotEmptyText()
  @IsString()
  series_id?: string;

  @OptionalMonth({ description: 'Only overrides of this forecast month.', example: '2026-12-01' })
  month?: string;

  @QueryFlag('Include overrides that were replaced or removed or have expired.')
  history?: boolean;
}

export class PutOverrideDto extends OverrideKeyDto {
  @ApiProperty({
    enum: OVERRIDE_KINDS,
    description: '`absolute` replaces the median, `delta` adds to it, and `percent` changes it by that percentage.',
  })
  @IsOneOf(OVERRIDE_KINDS)
  kind!: OverrideKind;

  @ApiProperty({
    description:
      'In units of the series, or percent. `absolute`: 0 or more. `percent`: -100 or more. A `delta` can be negative; `final` is never below 0.',
    example: 250,
  })
  @IsNumber({ allowNaN: false, allowInfinity: false }, VALUE)
  @Min(-MAX_OVERRIDE, VALUE)
  @Max(MAX_OVERRIDE, VALUE)
  value!: number;

  @ApiProperty({
    description: 'Why the forecast is overridden, for others who look at it.',
    example: 'Promotion in week 50',
  })
  @IsText({ max: 2_000, multiline: true })
  reason!: string;

  @OptionalProperty({
    description: 'When the override expires. If omitted, it applies until it is replaced or removed.',
    ...nullableInstant,
    example: '2035-01-01T00:00:00.000Z',
  })
  @IsInstant()
  expires_at?: Date;
}

export class OverrideEntryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ format: 'uuid' })
  workspace_id!: string;
  @ApiProperty(SERIES_PROPERTY.series_id)
  series_id!: string;
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty(SERIES_PROPERTY.product_name)
  product_name!: string | null;
  @ApiProperty({ format: 'date', description: 'The month, as its first day.', example: '2026-12-01' })
  month!: string;
  @ApiProperty({
    enum: OVERRIDE_KINDS,
    description:
      'What `value` is: the demand itself, an amount to add to the forecast, or a percentage to change it by.',
  })
  kind!: OverrideKind;
  @ApiProperty({ description: 'The demand, the amount or the percentage, according to `kind`.', example: 250 })
  value!: number;
  @ApiProperty({ description: 'Why the forecast was overridden.', example: 'Promotion in week 50' })
  reason!: string;
  @ApiProperty({ description: 'Email address of the user who created the override.', example: 'planner@example.com' })
  author!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
  @ApiProperty({
    ...nullableInstant,
    description: 'When the override stops applying. Null if it does not expire.',
  })
  expires_at!: Date | null;
  @ApiProperty({
    ...nullableInstant,
    description: 'When the override was replaced or removed.',
  })
  ended_at!: Date | null;
  @ApiProperty({ ...nullableString, description: 'Who replaced or removed the override.' })
  ended_by!: string | null;
  @ApiProperty({ description: 'Whether the override applies now.' })
  active!: boolean;
}
