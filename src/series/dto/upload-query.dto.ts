import { WorkspaceQuery } from '../../platform/http/rules/narrowing-query.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { DECIMAL_MARKS, type DecimalMark } from '../upload/decimal-mark.js';
import { type Fill, FILLS } from '../upload/members.js';

/** Options of an upload into a named workspace. */
export class WorkspaceUploadQueryDto {
  @OptionalProperty({
    description:
      '`zero` stores zero for every month without a row, from the first month of each series of the upload to the last month of the upload (except the month in progress). ' +
      'Series that are not in the upload are not filled. Otherwise, missing months stay missing. A JSON body can contain it instead. Not allowed for an upload without demand.',
    enum: FILLS,
    default: 'none',
  })
  @IsOneOf(FILLS)
  fill?: Fill;

  @OptionalProperty({
    description:
      'Decimal mark of a CSV file. If given, the other mark can only separate thousands; values that use it in any other way are rejected. ' +
      'If omitted, files with comma-separated columns use a decimal point; in other files, the values decide, and a number that remains ambiguous (`1.234` next to nothing but numbers such as `1500`) is rejected. Not allowed for JSON and NDJSON.',
    enum: DECIMAL_MARKS,
  })
  @IsOneOf(DECIMAL_MARKS)
  decimal?: DecimalMark;
}

/** Query of the public upload route. */
export class UploadQueryDto extends WorkspaceUploadQueryDto {
  @WorkspaceQuery(
    'Workspace that the demand belongs to. A JSON body can contain it instead. Not needed with a workspace key.',
  )
  workspace_id?: string;
}
