import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  MODEL_NAMES,
  type ModelName,
  OUTLIER_POLICIES,
  type OutlierPolicy,
  SETTING_RANGES,
} from '../../forecasting/index.js';
import { AllDifferent } from '../../platform/http/rules/all-different.js';
import { OptionalMonth } from '../../platform/http/rules/calendar-month.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { IsIdOf } from '../../platform/http/rules/id-of.js';
import { IsNotEmptyText } from '../../platform/http/rules/not-empty.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { ContainsOnly, IsOneOf } from '../../platform/http/rules/one-of.js';
import { Trimmed } from '../../platform/http/rules/trimmed.js';
import { IsWholeNumber } from '../../platform/http/rules/whole-number.js';
import { DEFAULT_RUN_CONFIG } from '../run-config.js';

/** Text that PostgreSQL can store as JSON: no NUL, no unpaired surrogate. */
const PLAIN_TEXT = /^[^\0\p{Surrogate}]*$/u;

export class SeriesSelectionDto {
  @ApiPropertyOptional({
    description:
      'The unique_ids of the series. Those that are not in the workspace are skipped and listed in `metrics.skipped`; at least one must exist.',
    type: [String],
    example: ['SKU-1001', 'SKU-1002'],
    minItems: 1,
    maxItems: 10_000,
    uniqueItems: true,
  })
  @ValidateIf((selection: SeriesSelectionDto) => selection.unique_ids !== undefined || selection.category === undefined)
  @ArrayMinSize(1, { message: 'must list at least one series' })
  @ArrayMaxSize(10_000, { message: 'must list at most 10000 series' })
  @AllDifferent('must not list a series twice')
  @Matches(PLAIN_TEXT, { each: true, message: 'must contain only well-formed Unicode without NUL characters' })
  @IsString({ each: true, message: 'must be a list of strings' })
  @IsArray({ message: 'must be a list of unique_ids (or use category instead)' })
  @Trimmed()
  unique_ids?: string[];

  @ApiPropertyOptional({
    description:
      'All series in this category, which must have at least one. Together with `unique_ids`, only series that match both.',
    example: 'brakes',
    minLength: 1,
    maxLength: 255,
  })
  @ValidateIf((selection: SeriesSelectionDto) => selection.category !== undefined)
  @IsNotEmptyText()
  @Matches(PLAIN_TEXT, { message: 'must be well-formed Unicode without NUL characters' })
  @MaxLength(255, { message: 'must have at most 255 characters' })
  @IsString({ message: 'must be a string' })
  @Trimmed()
  category?: string;
}

/** How a run deviates from the defaults. A closed schema: an unknown key is an error rather than ignored. */
export class ConfigOverridesDto {
  @OptionalProperty({
    description: 'Number of months to forecast.',
    type: 'integer',
    ...SETTING_RANGES.horizon,
    default: DEFAULT_RUN_CONFIG.horizon,
  })
  @IsWholeNumber(SETTING_RANGES.horizon)
  horizon?: number;

  @OptionalProperty({
    description:
      '`auto` (routes each series to a suitable model), or one or more classical methods. A single method is used for every series. With several, each series uses the one with the smallest absolute errors of `q50` in the backtest; the metrics then evaluate each window with the method that is best in the other windows, and a single window with the first method listed.',
    enum: MODEL_NAMES,
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    default: DEFAULT_RUN_CONFIG.models,
  })
  @ArrayMinSize(1, { message: 'must list at least one model' })
  @AllDifferent('must not list a model twice')
  @ContainsOnly(MODEL_NAMES)
  @IsArray({ message: `must be a list of ${MODEL_NAMES.join(', ')}` })
  models?: ModelName[];

  @OptionalProperty({
    description:
      'Number of rolling-origin backtest windows from which the metrics are computed. Each window is as long as the horizon, up to a year; the windows follow each other and end with the last month. A single window says more about its year than about the forecasts.',
    type: 'integer',
    ...SETTING_RANGES.backtestWindows,
    default: DEFAULT_RUN_CONFIG.backtest_windows,
  })
  @IsWholeNumber(SETTING_RANGES.backtestWindows)
  backtest_windows?: number;

  @OptionalProperty({
    description: 'Series with fewer observed months are skipped.',
    type: 'integer',
    ...SETTING_RANGES.minHistory,
    default: DEFAULT_RUN_CONFIG.min_history,
  })
  @IsWholeNumber(SETTING_RANGES.minHistory)
  min_history?: number;

  @OptionalMonth({
    description:
      'Last month of history to use. It must be over; later months are ignored. If null, all months are used, except a last month whose last days are clearly not uploaded yet (`metrics.incomplete_month`). As the cutoff, such a month is used as it is.',
    example: '2026-09-01',
    nullable: true,
  })
  cutoff?: string | null;

  @OptionalProperty({
    description:
      'Which series to forecast. If omitted or null, all series of the workspace. Series learn from each other, so the forecasts of a series differ slightly with a different selection.',
    type: SeriesSelectionDto,
    nullable: true,
    minProperties: 1,
  })
  @IsObject({ message: 'must be a JSON object with unique_ids or category' })
  @ValidateNested({ message: 'must be a JSON object with unique_ids or category' })
  @Type(() => SeriesSelectionDto)
  series?: SeriesSelectionDto | null;

  @OptionalProperty({
    description:
      'How to treat outliers: rare, isolated months far above or below the usual demand of that calendar month and the neighboring months, such as a ' +
      'mistyped quantity or a stockout. `dampen` moves them toward the usual level before forecasting; `keep` uses them ' +
      'unchanged. The last month, which no later month can confirm, is dampened only if it has no demand and an equally long period ' +
      'without demand ended before.',
    enum: OUTLIER_POLICIES,
    default: DEFAULT_RUN_CONFIG.outliers,
  })
  @IsOneOf(OUTLIER_POLICIES)
  outliers?: OutlierPolicy;

  @OptionalProperty({
    description:
      'Seed of the random number generator. The same seed, data and settings give the same forecasts. With a different `horizon` or `series`, the forecasts of a month differ slightly.',
    type: 'integer',
    format: 'int64',
    ...SETTING_RANGES.seed,
    default: DEFAULT_RUN_CONFIG.seed,
  })
  @IsWholeNumber(SETTING_RANGES.seed)
  seed?: number;
}

/** The settings of a run, or of the runs of a schedule. */
export const ConfigOverrides = (description: string): PropertyDecorator =>
  applyDecorators(
    OptionalProperty({ description, type: ConfigOverridesDto, example: { horizon: 12 } }),
    IsObject({ message: 'must be a JSON object' }),
    ValidateNested(),
    Type(() => ConfigOverridesDto),
  );

/** A run of the workspace in the path. */
export class StartWorkspaceRunDto {
  @ConfigOverrides('Settings that differ from the default configuration.')
  config_overrides?: ConfigOverridesDto;
}

export class StartRunDto extends StartWorkspaceRunDto {
  @OptionalProperty({
    description: 'Workspace to forecast. Optional with a workspace key.',
    format: 'uuid',
    example: EXAMPLE_ID.workspace,
  })
  @IsIdOf('workspace')
  workspace_id?: string;
}
