import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { IsIdOf } from '../../platform/http/id-of.js';
import { Omittable } from '../../platform/http/omittable.js';
import { QueryBoolean } from '../../platform/http/validation.js';
import { ListReleasesDto } from './inputs.dto.js';

export class ListNotificationsDto extends ListReleasesDto {
  @ApiPropertyOptional({ description: '`true` leaves out what was read.', type: Boolean, default: false })
  @Omittable()
  @QueryBoolean()
  @IsBoolean({ message: 'must be true or false' })
  unread?: boolean;
}

const id = { format: 'uuid', example: '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55' };

/** One of the three at most; none marks all there are. */
export class MarkReadDto {
  @ApiPropertyOptional({ ...id, description: 'Marks this one.' })
  @Omittable()
  @IsIdOf('notification')
  id?: string;

  @ApiPropertyOptional({
    ...id,
    description: 'Marks this one and all announced before it: what arrived since it was shown stays unread.',
  })
  @Omittable()
  @IsIdOf('notification')
  up_to?: string;

  @ApiPropertyOptional({
    description: '`true` marks all there are, as does an empty body; else left out.',
    type: Boolean,
  })
  @Omittable()
  @IsIn([true], { message: 'must be true, or left out' })
  all?: true;
}
