import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { Omittable } from '../../platform/http/omittable.js';

const FILLS = ['none', 'zero'] as const;

/** What an upload into a named workspace may ask for. */
export class FillQueryDto {
  @ApiPropertyOptional({
    description:
      '`zero` stores zero for every month without a row, from a series’ first month to the last month of the upload (the month in progress excepted). ' +
      'Without it a missing month stays missing. A JSON body may carry it instead.',
    enum: FILLS,
    default: 'none',
  })
  @Omittable()
  @IsIn(FILLS)
  fill?: (typeof FILLS)[number];
}

/** Query of the public upload. */
export class UploadQueryDto extends FillQueryDto {
  @ApiPropertyOptional({
    description:
      'Workspace the demand belongs to. A JSON body may carry it instead; not needed with a key of one workspace.',
    type: String,
  })
  @Omittable()
  @IsString()
  workspace_id?: string;
}
