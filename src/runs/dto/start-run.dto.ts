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
import { AllDifferent } from '../../platform/http/all-different.js';
import { OptionalMonth } from '../../platform/http/calendar-month.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { IsIdOf } from '../../platform/http/id-of.js';
import { IsNotEmptyText } from '../../platform/http/not-empty.js';
import { Omittable, OmittableOrNull } from '../../platform/http/omittable.js';
import { HoldsOnly, IsOneOf } from '../../platform/http/one-of.js';
import { Trimmed } from '../../platform/http/trimmed.js';
import { IsWholeNumber } from '../../platform/http/whole-number.js';
import { DEFAULT_RUN_CONFIG } from '../run-config.js';

/** What PostgreSQL stores as JSON: no NUL, no half of a surrogate pair. */
const PLAIN_TEXT = /^[^\0\p{Surrogate}]*$/u;

export class SeriesSelectionDto {
  @ApiPropertyOptional({
    description:
      'Series by their identifiers. Those that the workspace does not have are left out and listed in `metrics.skipped`; it must have at least one of them.',
    type: [String],
    example: ['SKU-1001', 'SKU-1002'],
    minItems: 1,
    maxItems: 10_000,
    uniqueItems: true,
  })
  @ValidateIf((selection: SeriesSelectionDto) => selection.unique_ids !== undefined || selection.category === undefined)
  @ArrayMinSize(1, { message: 'must name at least one series' })
  @ArrayMaxSize(10_000, { message: 'must name at most 10000 series' })
  @AllDifferent('must not name a series twice')
  @Matches(PLAIN_TEXT, { each: true, message: 'must hold well-formed Unicode without NUL characters' })
  @IsString({ each: true, message: 'must be a list of strings' })
  @IsArray({ message: 'must be a list of unique_ids (or give category instead)' })
  @Trimmed()
  unique_ids?: string[];

  @ApiPropertyOptional({
    description: 'All series of this category, of which the workspace must have one; with `unique_ids` those of both.',
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

/** What a run does otherwise than by default. A closed schema: an unknown key is an error, not ignored. */
export class ConfigOverridesDto {
  @ApiPropertyOptional({
    description: 'Months to forecast.',
    type: 'integer',
    ...SETTING_RANGES.horizon,
    default: DEFAULT_RUN_CONFIG.horizon,
  })
  @Omittable()
  @IsWholeNumber(SETTING_RANGES.horizon)
  horizon?: number;

  @ApiPropertyOptional({
    description:
      '`auto` (the routed combination), or classical methods by name: one is used for every series, of several each series takes the one with the smallest absolute errors of `q50` over the backtest. The metrics then show each window as forecast by the method that is best in the others; a single window as by the first one named.',
    enum: MODEL_NAMES,
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    default: DEFAULT_RUN_CONFIG.models,
  })
  @Omittable()
  @ArrayMinSize(1, { message: 'must name at least one model' })
  @AllDifferent('must not name a model twice')
  @HoldsOnly(MODEL_NAMES)
  @IsArray({ message: `must be a list of ${MODEL_NAMES.join(', ')}` })
  models?: ModelName[];

  @ApiPropertyOptional({
    description:
      'Rolling origins of the backtest that the metrics come from: windows of the horizon, at most a year each, one after the other up to the last month. One window says more about its year than about the forecasts.',
    type: 'integer',
    ...SETTING_RANGES.backtestWindows,
    default: DEFAULT_RUN_CONFIG.backtest_windows,
  })
  @Omittable()
  @IsWholeNumber(SETTING_RANGES.backtestWindows)
  backtest_windows?: number;

  @ApiPropertyOptional({
    description: 'Series with fewer observed months are skipped.',
    type: 'integer',
    ...SETTING_RANGES.minHistory,
    default: DEFAULT_RUN_CONFIG.min_history,
  })
  @Omittable()
  @IsWholeNumber(SETTING_RANGES.minHistory)
  min_history?: number;

  @OptionalMonth({
    description:
      'Last month of history to use, which must be over; later months are ignored. Null: all months, but for a last one whose last days are clearly still to be uploaded (`metrics.incomplete_month`); a cutoff takes it as it is.',
    example: '2026-09-01',
    nullable: true,
  })
  cutoff?: string | null;

  @ApiPropertyOptional({
    description:
      'Which series to forecast; all of the workspace when absent or null. They learn from each other: with another selection the forecasts of a series differ a little.',
    type: SeriesSelectionDto,
    nullable: true,
    minProperties: 1,
  })
  @OmittableOrNull()
  @IsObject({ message: 'must be a JSON object with unique_ids or category' })
  @ValidateNested({ message: 'must be a JSON object with unique_ids or category' })
  @Type(() => SeriesSelectionDto)
  series?: SeriesSelectionDto | null;

  @ApiPropertyOptional({
    description:
      'What to do with odd months: rare and isolated ones, far above or below what their month and their neighbours sell, such as a ' +
      'mistyped quantity or a month without stock. `dampen` moves them towards the usual level before forecasting; `keep` takes them as ' +
      'they are. The last month, which no later one can confirm, is dampened only where it has no demand and as long a silence ' +
      'ended before.',
    enum: OUTLIER_POLICIES,
    default: DEFAULT_RUN_CONFIG.outliers,
  })
  @Omittable()
  @IsOneOf(OUTLIER_POLICIES)
  outliers?: OutlierPolicy;

  @ApiPropertyOptional({
    description:
      'Seed of the random numbers; the same seed, data and other settings give the same forecasts. With another `horizon`, or other `series`, those of the same month differ a little.',
    type: 'integer',
    format: 'int64',
    ...SETTING_RANGES.seed,
    default: DEFAULT_RUN_CONFIG.seed,
  })
  @Omittable()
  @IsWholeNumber(SETTING_RANGES.seed)
  seed?: number;
}

/** A run of the workspace in the path. */
export class StartWorkspaceRunDto {
  @ApiPropertyOptional({
    description: 'Departures from the default configuration.',
    type: ConfigOverridesDto,
    example: { horizon: 12 },
  })
  @Omittable()
  @IsObject({ message: 'must be a JSON object' })
  @ValidateNested()
  @Type(() => ConfigOverridesDto)
  config_overrides?: ConfigOverridesDto;
}

export class StartRunDto extends StartWorkspaceRunDto {
  @ApiPropertyOptional({
    description: 'Workspace to forecast. May be left out with a key that is bound to one workspace.',
    format: 'uuid',
    example: EXAMPLE_ID.workspace,
  })
  @Omittable()
  @IsIdOf('workspace')
  workspace_id?: string;
}
