import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OUTLIER_POLICIES } from '../../forecasting/index.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { SERIES_PROPERTY } from '../../series/index.js';
import { DEFAULT_RUN_CONFIG } from '../run-config.js';
import { RUN_SKIP_REASONS, RUN_STATUSES, RUN_TRIGGERS } from '../run.js';
import { AccuracyDto } from './accuracy.dto.js';
import { MODELS_IN_WORDS, PATTERNS_IN_WORDS } from './model-property.js';
import { SeriesSelectionDto } from './start-run.dto.js';

class ProgressDto {
  @ApiProperty({ type: 'integer', example: 2509 })
  series_total!: number;
  @ApiProperty({ type: 'integer', example: 2509 })
  series_done!: number;
}

class RunErrorDto {
  @ApiProperty({ example: 'computation_failed' })
  code!: string;
  @ApiProperty({ example: 'The forecasts could not be computed.' })
  message!: string;
}

class SkippedSeriesDto {
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty({
    enum: RUN_SKIP_REASONS,
    description:
      '`no_observations`: no demand on record up to the cutoff. `insufficient_history`: fewer months than `min_history` or the named ' +
      '`models` ask for. `no_recent_demand`: nothing on record for 36 months, not even a zero. `not_finite`: the demand is too large ' +
      'for a number. `unknown_series`: `config.series.unique_ids` names it, and the workspace had no such series when the run was planned.',
  })
  reason!: string;
  @ApiProperty({ example: 'The series has no observed month.' })
  detail!: string;
}

class SkippedDto {
  @ApiProperty({ type: 'integer', example: 3 })
  total!: number;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, example: { no_observations: 3 } })
  by_reason!: Record<string, number>;
  @ApiProperty({ type: [SkippedSeriesDto], description: 'The first hundred by name.' })
  first!: SkippedSeriesDto[];
}

class RunMetricsDto extends AccuracyDto {
  @ApiProperty({ type: 'integer', example: 30108 })
  backtest_months!: number;
  @ApiProperty({ type: 'integer', example: 2506 })
  series_forecast!: number;
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'date',
    description: 'Newest month with data of any series; absent from runs of earlier releases.',
    example: '2026-10-01',
  })
  newest_month?: string | null;
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'date',
    description:
      'Last day of the newest month on which any series has demand by days; null where it has none, or figures for the month alone, also those that are dated its first day. Absent from runs of earlier releases.',
    example: '2026-10-31',
  })
  newest_day?: string | null;
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'date',
    description:
      'A month that is over and has demand, and that the run leaves out, since its last days are still to be uploaded: nothing after them is on record, and they are at least five, and more than any silence of the workspace in the 13 months before. Null where the run leaves none out, as with a `cutoff`. Absent from runs of earlier releases.',
    example: null,
  })
  incomplete_month?: string | null;
  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Series forecast whose own data end more than three months before the newest month; absent from runs of earlier releases.',
    example: 12,
  })
  stale_series?: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: `Series by what produced their forecast: ${MODELS_IN_WORDS}.`,
    example: { combination: 2000, intermittent: 506 },
  })
  models!: Record<string, number>;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: `Series by demand pattern: ${PATTERNS_IN_WORDS}.`,
    example: { smooth: 2000, lumpy: 506 },
  })
  patterns!: Record<string, number>;
  @ApiProperty({ type: SkippedDto })
  skipped!: SkippedDto;
  @ApiProperty({ type: Number, example: 12.4 })
  duration_seconds!: number;
}

class RunConfigDto {
  @ApiProperty({ type: 'integer', example: 12 })
  horizon!: number;
  @ApiProperty({ type: [String], example: ['auto'] })
  models!: string[];
  @ApiProperty({ type: 'integer', example: 1 })
  backtest_windows!: number;
  @ApiProperty({ type: 'integer', example: 1 })
  min_history!: number;
  @ApiProperty({ type: String, nullable: true, example: null })
  cutoff!: string | null;
  @ApiProperty({ type: SeriesSelectionDto, nullable: true, example: null })
  series!: SeriesSelectionDto | null;
  @ApiProperty({ enum: OUTLIER_POLICIES, example: DEFAULT_RUN_CONFIG.outliers })
  outliers!: string;
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  seed!: number;
}

/** The run object of the API. */
export class RunDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.run })
  id!: string;
  @ApiProperty({
    enum: RUN_STATUSES,
    description: '`queued`, then `running`, then one of the others, which are final.',
    example: 'completed',
  })
  status!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({
    enum: RUN_TRIGGERS,
    description:
      'Who started it: `api` an API key, `app` a signed-in member, `schedule` the schedule of the workspace.',
  })
  trigger!: string;
  @ApiProperty({ type: ProgressDto })
  progress!: ProgressDto;
  @ApiProperty({
    type: RunConfigDto,
    description: 'Effective configuration: `config_overrides` with the defaults of what they leave out.',
  })
  config!: RunConfigDto;
  @ApiProperty({ type: RunMetricsDto, nullable: true, description: 'Null until the run is completed.' })
  metrics!: RunMetricsDto | null;
  @ApiProperty({ type: RunErrorDto, nullable: true, description: 'Why the run failed.', example: null })
  error!: RunErrorDto | null;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['quota', 'overage', null],
    example: 'quota',
    description:
      'What the run counts against: the monthly quota, or overage beyond it. Null if it was given back, because the run failed or was canceled while it was queued.',
  })
  billed!: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-11-21T06:00:00.000Z' })
  created_at!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-21T06:00:01.000Z' })
  started_at!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-21T06:00:13.400Z' })
  finished_at!: Date | null;
}
