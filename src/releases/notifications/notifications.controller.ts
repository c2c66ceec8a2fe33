import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentUser, type UserCaller } from '../../access/index.js';
import { SignedIn } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import type { Page } from '../../platform/http/pagination.js';
import { ListNotificationsDto, MarkReadDto } from '../dto/notifications.dto.js';
import { NotificationBody, UnreadBody } from '../dto/replies.dto.js';
import { NotificationsService } from './notifications.service.js';

/** Header with the number of unread notifications, since the list is a bare array. */
const UNREAD_HEADER = 'x-unread-count';

@ApiTags('Notifications')
@SignedIn()
@Controller('notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @ApiOperation({
    summary: 'List notifications',
    description:
      'Returns announcements of product releases, most recent first. Releases announced before your account was created count as read.',
  })
  @Paged({
    type: [NotificationBody],
    headers: {
      'X-Unread-Count': {
        description: 'Total number of unread notifications, across all pages.',
        schema: { type: 'integer', example: 2 },
      },
    },
  })
  @ApiInvalidRequest('A parameter is invalid.')
  async list(
    @CurrentUser() user: UserCaller,
    @Query() query: ListNotificationsDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page<NotificationBody>> {
    const { page, unread } = await this.notifications.list(user.userId, query);
    void reply.header(UNREAD_HEADER, String(unread));
    return page;
  }

  @Get('unread-count')
  @ApiOperation({
    summary: 'Count unread notifications',
    description: 'Returns the number of unread notifications, for example to show next to a bell icon.',
  })
  @ApiOkResponse({ type: UnreadBody })
  async unread(@CurrentUser() user: UserCaller): Promise<UnreadBody> {
    return { unread_count: await this.notifications.unread(user.userId) };
  }

  @Post('read')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Mark notifications as read',
    description:
      'Marks a single notification (`id`), all up to and including one (`up_to`), or all (`all`, or an empty body).',
  })
  @ApiBody({ type: MarkReadDto, required: false, examples: { all: { value: { all: true } } } })
  @ApiOkResponse({ type: UnreadBody })
  @ApiInvalidRequest('More than one of `id`, `up_to` and `all` is given.')
  @ApiProblem(404, 'The notification does not exist.', ['not_found'])
  async markRead(@CurrentUser() user: UserCaller, @Body() input: MarkReadDto): Promise<UnreadBody> {
    return { unread_count: await this.notifications.markRead(user.userId, input) };
  }
}
