import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type UserCaller } from '../../access/index.js';
import { Operator } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import type { Page } from '../../platform/http/pagination.js';
import { BlockDto, ListBlocksDto, ListQueueDto, ModerateReplyDto, ModerateTopicDto } from '../dto/inputs.dto.js';
import { BlockBody, ModeratedTopicBody, ReplyBody } from '../dto/replies.dto.js';
import { BlocksService } from './blocks.service.js';
import { ModerationService } from './moderation.service.js';

/** The forum for its moderators. */
@ApiTags('Community moderation')
@Operator()
@Controller('admin/community')
export class ModerationController {
  constructor(
    private readonly moderation: ModerationService,
    private readonly blocks: BlocksService,
  ) {}

  @Get('topics')
  @ApiOperation({
    summary: 'List the moderation queue',
    description:
      'Returns topics that are hidden or have hidden replies or open reports, with the ids of those replies and the reports. The most recently flagged topic comes first.',
  })
  @Paged({ type: [ModeratedTopicBody] })
  @ApiInvalidRequest('A parameter is invalid.')
  queue(@CurrentUser() operator: UserCaller, @Query() query: ListQueueDto): Promise<Page<ModeratedTopicBody>> {
    return this.moderation.queue(operator, query);
  }

  @Patch('topics/:id')
  @ApiOperation({
    summary: 'Moderate a topic',
    description:
      'Pins, locks or hides a topic, or resolves its reports. Fields that are omitted stay unchanged. The change is recorded in the audit log.',
  })
  @ApiParam({ name: 'id', description: 'Id of the topic.', format: 'uuid' })
  @ApiOkResponse({ type: ModeratedTopicBody })
  @ApiInvalidRequest('A field is invalid, or no field is given.')
  @ApiProblem(404, 'The topic does not exist.', ['not_found'])
  moderate(
    @CurrentUser() operator: UserCaller,
    @Param('id') id: string,
    @Body() input: ModerateTopicDto,
  ): Promise<ModeratedTopicBody> {
    return this.moderation.moderateTopic(operator, id, input);
  }

  @Patch('topics/:id/replies/:reply_id')
  @ApiOperation({
    summary: 'Moderate a reply',
    description:
      'Hides a reply, shows it again, or resolves its reports. Fields that are omitted stay unchanged. The change is recorded in the audit log.',
  })
  @ApiParam({ name: 'id', description: 'Id of the topic.', format: 'uuid' })
  @ApiOkResponse({ type: ReplyBody })
  @ApiInvalidRequest('A field is invalid, or no field is given.')
  @ApiProblem(404, 'The topic or reply does not exist.', ['not_found'])
  moderateReply(
    @CurrentUser() operator: UserCaller,
    @Param('id') id: string,
    @Param('reply_id') replyId: string,
    @Body() input: ModerateReplyDto,
  ): Promise<ReplyBody> {
    return this.moderation.moderateReply(operator, id, replyId, input);
  }

  @Get('blocks')
  @ApiOperation({
    summary: 'List blocked users',
    description: 'Returns the users who are blocked from posting, most recently blocked first.',
  })
  @Paged({ type: [BlockBody] })
  @ApiInvalidRequest('A parameter is invalid.')
  listBlocks(@Query() query: ListBlocksDto): Promise<Page<BlockBody>> {
    return this.blocks.list(query);
  }

  @Put('blocks/:user_id')
  @ApiOperation({
    summary: 'Block a user',
    description:
      "Blocks a user from posting in the forum. New topics, replies, edits and reports of the user are rejected with 403 `posting_blocked` and the reason; reading and everything outside the forum still work. With `hide_texts`, the user's posts are hidden and added to the moderation queue. If the user is already blocked, the reason is replaced. The change is recorded in the audit log.",
  })
  @ApiOkResponse({ type: BlockBody })
  @ApiInvalidRequest('A field is invalid.')
  @ApiProblem(404, 'The user does not exist.', ['not_found'])
  @ApiProblem(409, 'The user is an operator.', ['operator_not_blocked'])
  block(
    @CurrentUser() operator: UserCaller,
    @Param('user_id') userId: string,
    @Body() input: BlockDto,
  ): Promise<BlockBody> {
    return this.blocks.block(operator, userId, input);
  }

  @Delete('blocks/:user_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Unblock a user',
    description: 'Allows a user to post again. Hidden posts stay hidden. The change is recorded in the audit log.',
  })
  @ApiNoContentResponse({ description: 'The user can post again.' })
  @ApiProblem(404, 'The user is not blocked.', ['not_found'])
  unblock(@CurrentUser() operator: UserCaller, @Param('user_id') userId: string): Promise<void> {
    return this.blocks.unblock(operator, userId);
  }
}
