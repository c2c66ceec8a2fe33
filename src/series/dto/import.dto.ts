import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { nullableString } from '../../platform/http/openapi/api-properties.js';
import { EXAMPLE_ID } from '../../platform/http/openapi/example-ids.js';
import { DECIMAL_MARKS, type DecimalMark } from '../upload/decimal-mark.js';
import { UPLOAD_FORMATS, type UploadFormat } from '../upload/read-upload.js';
import { MissingDaysDto } from './missing-days.dto.js';
import { SERIES_PROPERTY } from './series-properties.js';

const IMPORT_STATES = ['receiving', 'processing', 'completed', 'failed'] as const;
type ImportState = (typeof IMPORT_STATES)[number];

class MonthRangeDto {
  @ApiProperty({ format: 'date', description: 'The first month, as its first day.', example: '2023-01-01' })
  from!: string;
  @ApiProperty({ format: 'date', description: 'The last month, as its first day.', example: '2026-10-01' })
  to!: string;
}

class RejectedLineDto {
  @ApiProperty({
    type: 'integer',
    description:
      'Line in the file (CSV, NDJSON) or position in `rows` (JSON), counting from 1; 0 if the upload as a whole is at fault.',
    example: 17,
  })
  line!: number;
  @ApiProperty({ description: 'Column or member, or `body` if the whole line cannot be read.', example: 'y' })
  field!: string;
  @ApiProperty({ description: 'Why the line was rejected.', example: '"abc" is not a finite number' })
  reason!: string;
}

class MissingMonthDto {
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty({
    description: 'The month as `YYYY-MM`, the form an upload uses for a whole month (`YYYY-MM-01` is a day).',
    example: '2026-04',
  })
  ds!: string;
}

/** The data-quality report of an upload. */
export class ImportReportDto {
  @ApiProperty({ type: 'integer', description: 'Number of rows read.', example: 97_851 })
  rows!: number;
  @ApiProperty({ type: 'integer', description: 'Number of series that were new.', example: 2_509 })
  series_created!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Existing series that received demand or, by an upload without demand, were described.',
    example: 0,
  })
  series_updated!: number;
  @ApiProperty({
    type: MonthRangeDto,
    nullable: true,
    description: 'First and last month of the upload. Null if it has no demand.',
  })
  months!: MonthRangeDto | null;
  @ApiProperty({
    type: 'integer',
    description:
      'Months without a value between the first and last month of each uploaded series, counted after the upload. A missing month is not zero demand.',
    example: 0,
  })
  gaps!: number;
  @ApiProperty({ type: 'integer', description: 'Number of series with at least one gap.', example: 0 })
  series_with_gaps!: number;
  @ApiPropertyOptional({
    type: [MissingMonthDto],
    description: 'The first 100 gaps, by unique_id and month. Not present in reports from releases up to 0.8.0.',
    example: [],
  })
  missing?: readonly MissingMonthDto[];
  @ApiPropertyOptional({
    ...nullableString,
    format: 'date',
    description:
      'The last month of the upload, if it is over but a run would leave it out because its last days are clearly not uploaded yet (see `metrics.incomplete_month` of a run). Not present in reports from releases up to 0.19.0.',
    example: null,
  })
  incomplete_month?: string | null;
  @ApiPropertyOptional({
    type: [MissingDaysDto],
    description:
      'Days within the last three months up to that of the last row on which no series of the workspace has demand, although by the 13 months before it should: they were probably not uploaded. Counted after the upload. Not present in reports from releases up to 0.27.0.',
    example: [],
  })
  missing_days?: readonly MissingDaysDto[];
  @ApiProperty({ type: 'integer', description: 'Missing months that `fill=zero` stored as zero.', example: 0 })
  months_filled!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Months whose stored days were replaced by a row for the whole month (YYYY-MM).',
    example: 0,
  })
  days_replaced_by_month!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Months whose stored total (YYYY-MM) was replaced by rows for days.',
    example: 0,
  })
  month_replaced_by_days!: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Rows for a series and date, or without demand for a series, that another row already covers. A single duplicate causes the upload to be rejected.',
    example: 0,
  })
  duplicates!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Rows with a negative value. They are kept, as returns are.',
    example: 0,
  })
  negative_values!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of rejected lines. If there are any, nothing is stored.',
    example: 0,
  })
  rejected_count!: number;
  @ApiProperty({ type: [RejectedLineDto], description: 'The first 100 rejected lines.', example: [] })
  rejected!: readonly RejectedLineDto[];
}

/** The response to an upload that was processed while the client waited. */
export class UploadReplyDto extends ImportReportDto {
  @ApiProperty({ format: 'uuid', description: 'Id of the import.', example: EXAMPLE_ID.import })
  import_id!: string;
}

class ImportFaultDto {
  @ApiProperty({ description: 'Column or member.', example: 'y' })
  param!: string;
  @ApiProperty({ description: 'What is wrong, with the line.', example: 'line 17: "abc" is not a finite number' })
  message!: string;
}

/** Why an import failed. */
export class ImportErrorDto {
  @ApiProperty({
    description:
      'Code of the error, as in a response to an upload, or `no_room`: the disk of the service was full for a day.',
    example: 'invalid_data',
  })
  code!: string;
  @ApiProperty({ description: 'What went wrong.', example: '1 line was rejected. Nothing is stored.' })
  message!: string;
  @ApiPropertyOptional({ type: [ImportFaultDto], description: 'The rejected fields. Present if the data is invalid.' })
  errors?: readonly ImportFaultDto[];
}

/** An upload and its outcome. */
export class ImportDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.import })
  id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({
    enum: IMPORT_STATES,
    description: 'State of the import. After `completed` or `failed` it does not change.',
    example: 'completed',
  })
  state!: ImportState;
  @ApiProperty({
    enum: IMPORT_STATES,
    description: 'Same as `state`, under the name that runs and syncs use.',
    example: 'completed',
  })
  status!: ImportState;
  @ApiProperty({
    enum: ['api', 'app'],
    description: 'Whether an API key (`api`) or a signed-in member (`app`) sent the upload.',
  })
  origin!: 'api' | 'app';
  @ApiProperty({ enum: UPLOAD_FORMATS, description: 'Format of the body.' })
  format!: UploadFormat;
  @ApiProperty({
    enum: ['zero'],
    nullable: true,
    type: String,
    description: 'The `fill` that the upload requested, in the query or the body.',
    example: null,
  })
  fill!: 'zero' | null;
  @ApiProperty({
    enum: DECIMAL_MARKS,
    nullable: true,
    type: String,
    description: 'The decimal mark that the upload specified. Null if it was detected from the file.',
    example: null,
  })
  decimal!: DecimalMark | null;
  @ApiProperty({
    type: 'integer',
    description:
      'Rows read so far, updated every two seconds while the import is processed. Rows are stored after all of them have been read, all or none. Once the import has ended: `rows` of the report, or 0 if there is no report.',
    example: 97_851,
  })
  rows_read!: number;
  @ApiProperty({ type: ImportReportDto, nullable: true, description: 'Null until the import has ended.' })
  report!: ImportReportDto | null;
  @ApiProperty({
    type: ImportErrorDto,
    nullable: true,
    description: 'Why the import failed. A failed import stores nothing.',
    example: null,
  })
  error!: ImportErrorDto | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
  @ApiProperty({ format: 'date-time', nullable: true, type: String, example: '2026-11-21T06:00:41.000Z' })
  finished_at!: Date | null;
}
