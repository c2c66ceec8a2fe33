import { ApiPropertyOptional } from '@nestjs/swagger';
import { WorkspaceQuery } from '../../platform/http/narrowing-query.js';
import { Omittable } from '../../platform/http/omittable.js';
import { IsOneOf } from '../../platform/http/one-of.js';
import { DECIMAL_MARKS, type DecimalMark } from '../upload/decimal-mark.js';
import { type Fill, FILLS } from '../upload/members.js';

/** What an upload into a named workspace may ask for. */
export class WorkspaceUploadQueryDto {
  @ApiPropertyOptional({
    description:
      '`zero` stores zero for every month without a row, from a series’ first month to the last month of the upload (the month in progress excepted). ' +
      'Without it a missing month stays missing. A JSON body may carry it instead.',
    enum: FILLS,
    default: 'none',
  })
  @Omittable()
  @IsOneOf(FILLS)
  fill?: Fill;

  @ApiPropertyOptional({
    description:
      'Decimal mark of a CSV file. With it the other mark may only separate thousands; a value that uses it otherwise is refused. ' +
      'Without it, a file whose columns are separated by commas has a decimal point, and in other files the values decide; a number that stays ambiguous (`1.234` beside nothing but numbers such as `1500`) is refused. Not for JSON and NDJSON.',
    enum: DECIMAL_MARKS,
  })
  @Omittable()
  @IsOneOf(DECIMAL_MARKS)
  decimal?: DecimalMark;
}

/** Query of the public upload. */
export class UploadQueryDto extends WorkspaceUploadQueryDto {
  @WorkspaceQuery(
    'Workspace the demand belongs to. A JSON body may carry it instead; not needed with a key of one workspace.',
  )
  workspace_id?: string;
}
