import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { idProperty } from '../../platform/http/api-properties.js';
import { IsIdOf } from '../../platform/http/id-of.js';
import { Omittable } from '../../platform/http/omittable.js';
import { QueryFlag } from '../../platform/http/flag.js';
import { ListReleasesDto } from './inputs.dto.js';

export class ListNotificationsDto extends ListReleasesDto {
  @QueryFlag('`true` excludes notifications that are already read.')
  unread?: boolean;
}

/** At most one of the three; none marks all as read. */
export class MarkReadDto {
  @ApiPropertyOptional({ ...idProperty, description: 'Marks this notification as read.' })
  @Omittable()
  @IsIdOf('notification')
  id?: string;

  @ApiPropertyOptional({
    ...idProperty,
    description:
      'Marks this notification and all earlier ones as read. Notifications that have arrived since stay unread.',
  })
  @Omittable()
  @IsIdOf('notification')
  up_to?: string;

  @ApiPropertyOptional({
    description: '`true` marks all notifications as read, as does an empty body. Otherwise, omit this field.',
    type: Boolean,
  })
  @Omittable()
  @IsIn([true], { message: 'must be true or omitted' })
  all?: true;
}
