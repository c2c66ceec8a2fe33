import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { IMPORT_STATES } from '../imports/imports.queries.js';
import { DECIMAL_MARKS } from '../upload/decimal-mark.js';
import { UPLOAD_FORMATS } from '../upload/read-upload.js';
import { SERIES_PROPERTY } from './series-properties.js';

class MonthRangeDto {
  @ApiProperty({ format: 'date', example: '2023-01-01' })
  from!: string;
  @ApiProperty({ format: 'date', example: '2026-10-01' })
  to!: string;
}

class RejectedLineDto {
  @ApiProperty({
    type: 'integer',
    description: 'Line of the file (CSV, NDJSON) or number of the row (JSON), from 1.',
    example: 17,
  })
  line!: number;
  @ApiProperty({ description: 'Column or member; `body` where the line as a whole cannot be read.', example: 'y' })
  field!: string;
  @ApiProperty({ example: '"abc" is not a finite number' })
  reason!: string;
}

class MissingMonthDto {
  @ApiProperty(SERIES_PROPERTY.unique_id)
  unique_id!: string;
  @ApiProperty({
    description: 'The month, as a row for it names it: `YYYY-MM`, since the first of a month is a day in an upload.',
    example: '2026-04',
  })
  ds!: string;
}

/** The data-quality report of an upload. */
export class ImportReportDto {
  @ApiProperty({ type: 'integer', example: 97_851 })
  rows!: number;
  @ApiProperty({ type: 'integer', example: 2_509 })
  series_created!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Series that were there before and received demand.',
    example: 0,
  })
  series_updated!: number;
  @ApiProperty({ type: MonthRangeDto, nullable: true, description: 'First and last month of the upload.' })
  months!: MonthRangeDto | null;
  @ApiProperty({
    type: 'integer',
    description:
      'Months without a value between the first and the last month of the uploaded series, after the upload. Missing is not zero.',
    example: 0,
  })
  gaps!: number;
  @ApiProperty({ type: 'integer', example: 0 })
  series_with_gaps!: number;
  @ApiPropertyOptional({
    type: [MissingMonthDto],
    description: 'The first hundred gaps, by unique_id and month. Reports of releases up to 0.8.0 lack them.',
    example: [],
  })
  missing?: MissingMonthDto[];
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'date',
    description:
      'The last month of the upload, where it is over and a run would leave it out, since its last days are clearly still to be uploaded (`metrics.incomplete_month` of a run). Reports of releases up to 0.19.0 lack it.',
    example: null,
  })
  incomplete_month?: string | null;
  @ApiProperty({ type: 'integer', description: 'Missing months that `fill=zero` stored as zero.', example: 0 })
  months_filled!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Months stored by days whose days a row for the whole month (YYYY-MM) has replaced.',
    example: 0,
  })
  days_replaced_by_month!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Months stored as one figure (YYYY-MM) that rows for days have replaced.',
    example: 0,
  })
  month_replaced_by_days!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Rows for a series and day that another row has too. A single one causes the upload to be refused.',
    example: 0,
  })
  duplicates!: number;
  @ApiProperty({ type: 'integer', description: 'Rows below zero; they are kept, as returns are.', example: 0 })
  negative_values!: number;
  @ApiProperty({ type: 'integer', example: 0 })
  rejected_count!: number;
  @ApiProperty({ type: [RejectedLineDto], description: 'The first hundred.', example: [] })
  rejected!: RejectedLineDto[];
}

/** The reply to an upload that was processed while the sender waited. */
export class UploadReplyDto extends ImportReportDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.import })
  import_id!: string;
}

class ImportFaultDto {
  @ApiProperty({ example: 'y' })
  param!: string;
  @ApiProperty({ example: 'line 17: "abc" is not a finite number' })
  message!: string;
}

class ImportErrorDto {
  @ApiProperty({ example: 'invalid_data' })
  code!: string;
  @ApiProperty({ example: '1 line was refused, nothing is stored.' })
  message!: string;
  @ApiPropertyOptional({ type: [ImportFaultDto] })
  errors?: ImportFaultDto[];
}

/** An upload and what became of it. */
export class ImportDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.import })
  id!: string;
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID.workspace })
  workspace_id!: string;
  @ApiProperty({ enum: IMPORT_STATES, example: 'completed' })
  state!: string;
  @ApiProperty({
    enum: IMPORT_STATES,
    description: 'The same, under the name that runs and syncs have for it.',
    example: 'completed',
  })
  status!: string;
  @ApiProperty({ enum: ['api', 'app'] })
  origin!: string;
  @ApiProperty({ enum: UPLOAD_FORMATS })
  format!: string;
  @ApiProperty({
    enum: ['zero'],
    nullable: true,
    type: String,
    description: 'What the upload asked for, in the query or the body.',
    example: null,
  })
  fill!: string | null;
  @ApiProperty({
    enum: DECIMAL_MARKS,
    nullable: true,
    type: String,
    description: 'Decimal mark that the upload named; null where it was left to the file.',
    example: null,
  })
  decimal!: string | null;
  @ApiProperty({
    type: 'integer',
    description:
      'Rows read so far, updated every two seconds while the import is processed. When all are read they are stored, all or none. After the import has ended: those of its report, 0 without one.',
    example: 97_851,
  })
  rows_read!: number;
  @ApiProperty({ type: ImportReportDto, nullable: true, description: 'Null until the import has ended.' })
  report!: ImportReportDto | null;
  @ApiProperty({
    type: ImportErrorDto,
    nullable: true,
    description: 'Why it failed; nothing is stored then.',
    example: null,
  })
  error!: ImportErrorDto | null;
  @ApiProperty({ format: 'date-time' })
  created_at!: Date;
  @ApiProperty({ format: 'date-time', nullable: true, type: String, example: '2026-11-21T06:00:41.000Z' })
  finished_at!: Date | null;
}
