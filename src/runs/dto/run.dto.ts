import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ModelName, OUTLIER_POLICIES, type OutlierPolicy, SKIP_REASONS } from '../../forecasting/index.js';
import { instantProperty, nullableInstant, nullableString } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { MissingDaysDto, SERIES_PROPERTY } from '../../series/index.js';
import type { Billed } from '../../usage/index.js';
import { DEFAULT_RUN_CONFIG, type RunConfig } from '../run-config.js';
import { AccuracyDto } from './accuracy.dto.js';
import { MODELS_IN_WORDS, PATTERNS_IN_WORDS } from './model-property.js';
import { SeriesSelectionDto } from './start-run.dto.js';

export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
const RUN_TRIGGERS = ['api', 'schedule', 'app'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** Why a run did not forecast a series: a reason of the engine, that the workspace has no such series, or that another replaces it. */
const RUN_SKIP_REASONS = [...SKIP_REASONS, 'unknown_series', 'replaced'] as const;
export type RunSkipReason = (typeof RUN_SKIP_REASONS)[number];

class ProgressDto {
  @ApiProperty({
    type: 'integer',
    example: 2509,
    description:
      'Series to forecast. 0 until the run has been planned, which takes the first seconds of a running one.',
  })
  series_total!: number;
  @ApiProperty({ type: 'integer', description: 'Number of series that are forecast or skipped so far.', example: 2509 })
  series_done!: number;
}

class RunErrorDto {
  @ApiProperty({
    description:
      '`computation_failed`: the forecasts could not be computed, in several attempts. Other codes may be added.',
    example: 'computation_failed',
  })
  code!: string;
  @ApiProperty({ description: 'What went wrong.', example: 'The forecasts could not be computed.' })
  message!: string;
}

class SkippedSeriesDto {
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty({
    enum: RUN_SKIP_REASONS,
    description:
      '`no_observations`: no stored demand up to the cutoff. `insufficient_history`: fewer months than `min_history` or the chosen ' +
      '`models` require. `not_finite`: the demand is too large to compute with. `unknown_series`: listed in ' +
      '`config.series.unique_ids`, but not in the workspace when the run was planned. `replaced`: another series has replaced it, for which its demand counts. `no_recent_demand`: not given by ' +
      'runs, which forecast a series from the end of its own demand, however long ago that is (`metrics.stale_series`).',
  })
  reason!: RunSkipReason;
  @ApiProperty({ description: 'The reason in a sentence.', example: 'The series has no observed month.' })
  detail!: string;
}

class SkippedDto {
  @ApiProperty({ type: 'integer', description: 'Number of series that were skipped.', example: 3 })
  total!: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of series by the reason for which they were skipped.',
    example: { no_observations: 3 },
  })
  by_reason!: Partial<Record<RunSkipReason, number>>;
  @ApiProperty({ type: [SkippedSeriesDto], description: 'The first 100 skipped series.' })
  first!: SkippedSeriesDto[];
}

export class RunMetricsDto extends AccuracyDto {
  @ApiProperty({
    type: 'integer',
    description: 'Number of months of all series whose forecasts were compared with the actuals.',
    example: 30108,
  })
  backtest_months!: number;
  @ApiProperty({ type: 'integer', description: 'Number of series that were forecast.', example: 2506 })
  series_forecast!: number;
  @ApiPropertyOptional({
    ...nullableString,
    format: 'date',
    description: 'Newest month in which any series has data. Not present in runs from earlier releases.',
    example: '2026-10-01',
  })
  newest_month?: string | null;
  @ApiPropertyOptional({
    ...nullableString,
    format: 'date',
    description:
      'Last day in the newest month on which any series has daily demand. Null if that month has none, only monthly totals (including totals dated the first of the month). Not present in runs from earlier releases.',
    example: '2026-10-31',
  })
  newest_day?: string | null;
  @ApiPropertyOptional({
    ...nullableString,
    format: 'date',
    description:
      'A past month with demand that the run leaves out because its last days are not uploaded yet: at least five days are missing, more than in any gap of the workspace in the 13 months before, and nothing is stored after them. Null if the run leaves no month out, as with a `cutoff`. Not present in runs from earlier releases.',
    example: null,
  })
  incomplete_month?: string | null;
  @ApiPropertyOptional({
    type: [MissingDaysDto],
    description:
      'Days within the last three months that the run learned from on which no series of the workspace has demand, although by the 13 months before it should: they were probably not uploaded, and make demand look lower. Not present in runs from releases up to 0.27.0.',
    example: [],
  })
  missing_days?: readonly MissingDaysDto[];
  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Number of forecast series whose own data end more than three months before the newest month. Not present in runs from earlier releases.',
    example: 12,
  })
  stale_series?: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: `Number of series by the model that produced their forecast: ${MODELS_IN_WORDS}.`,
    example: { combination: 2000, intermittent: 506 },
  })
  models!: Record<string, number>;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: `Number of series by demand pattern: ${PATTERNS_IN_WORDS}.`,
    example: { smooth: 2000, lumpy: 506 },
  })
  patterns!: Record<string, number>;
  @ApiProperty({ type: SkippedDto, description: 'The series that were not forecast.' })
  skipped!: SkippedDto;
  @ApiProperty({ type: Number, description: 'Seconds that the run took once it had started.', example: 12.4 })
  duration_seconds!: number;
}

class RunConfigDto implements RunConfig {
  @ApiProperty({ type: 'integer', description: 'Number of months to forecast.', example: 12 })
  horizon!: number;
  @ApiProperty({ type: [String], description: 'The models to choose from.', example: ['auto'] })
  models!: ModelName[];
  @ApiProperty({
    type: 'integer',
    description: 'Number of past months from which forecasts were made to measure the accuracy.',
    example: 1,
  })
  backtest_windows!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of months with data that a series must have to be forecast.',
    example: 1,
  })
  min_history!: number;
  @ApiProperty({
    ...nullableString,
    description: 'The last month that the run learns from, as its first day. Null for the last complete month.',
    example: null,
  })
  cutoff!: string | null;
  @ApiProperty({
    type: SeriesSelectionDto,
    nullable: true,
    description: 'The series to forecast. Null for all of the workspace.',
    example: null,
  })
  series!: SeriesSelectionDto | null;
  @ApiProperty({
    enum: OUTLIER_POLICIES,
    description: 'Whether unusual months are kept as they are or dampened.',
    example: DEFAULT_RUN_CONFIG.outliers,
  })
  outliers!: OutlierPolicy;
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Seed of the random numbers: the same seed and data give the same forecasts.',
    example: 1,
  })
  seed!: number;
}

/** The run object of the API. */
export class RunDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.run })
  id!: string;
  @ApiProperty({
    enum: RUN_STATUSES,
    description: '`queued`, then `running`, then one of the other values, which are final.',
    example: 'completed',
  })
  status!: RunStatus;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({
    enum: RUN_TRIGGERS,
    description:
      'What started the run: an API key (`api`), a signed-in member (`app`) or the schedule of the workspace (`schedule`).',
  })
  trigger!: RunTrigger;
  @ApiProperty({ type: ProgressDto, description: 'How far the run has got.' })
  progress!: ProgressDto;
  @ApiProperty({
    type: RunConfigDto,
    description: 'Effective configuration: the defaults with `config_overrides` applied.',
  })
  config!: RunConfigDto;
  @ApiProperty({ type: RunMetricsDto, nullable: true, description: 'Null until the run has completed.' })
  metrics!: RunMetricsDto | null;
  @ApiProperty({ type: RunErrorDto, nullable: true, description: 'Why the run failed. Null otherwise.', example: null })
  error!: RunErrorDto | null;
  @ApiProperty({
    ...nullableString,
    enum: ['quota', 'overage', null],
    example: 'quota',
    description:
      'Whether the run counts against the monthly quota or as overage beyond it. Null if it was refunded because the run failed or was canceled while queued.',
  })
  billed!: Billed | null;
  @ApiProperty(instantProperty)
  created_at!: Date;
  @ApiProperty({ ...nullableInstant, example: '2026-11-21T06:00:01.000Z' })
  started_at!: Date | null;
  @ApiProperty({ ...nullableInstant, example: '2026-11-21T06:00:13.400Z' })
  finished_at!: Date | null;
}
