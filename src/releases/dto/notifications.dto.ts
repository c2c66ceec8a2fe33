import { IsIn } from 'class-validator';
import { idProperty } from '../../platform/http/openapi/api-properties.js';
import { IsIdOf } from '../../platform/http/rules/id-of.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { QueryFlag } from '../../platform/http/rules/flag.js';
import { ListReleasesDto } from './inputs.dto.js';

export class ListNotificationsDto extends ListReleasesDto {
  @QueryFlag('`true` excludes notifications that are already read.')
  unread?: boolean;
}

/** At most one of the three; none marks all as read. */
export class MarkReadDto {
  @OptionalProperty({ ...idProperty, description: 'Marks this notification as read.' })
  @IsIdOf('notification')
  id?: string;

  @OptionalProperty({
    ...idProperty,
    description:
      'Marks this notification and all earlier ones as read. Notifications that have arrived since stay unread.',
  })
  @IsIdOf('notification')
  up_to?: string;

  @OptionalProperty({
    description: '`true` marks all notifications as read, as does an empty body. Otherwise, omit this field.',
    type: Boolean,
  })
  @IsIn([true], { message: 'must be true or omitted' })
  all?: true;
}
