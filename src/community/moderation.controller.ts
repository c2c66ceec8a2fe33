import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type UserCaller } from '../access/index.js';
import { Operator } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import type { Block } from './blocks.queries.js';
import { BlocksService } from './blocks.service.js';
import { BlockDto, ListBlocksDto, ListQueueDto, ModerateReplyDto, ModerateTopicDto } from './dto/inputs.dto.js';
import { BlockBody, ModeratedTopicBody, ReplyBody } from './dto/replies.dto.js';
import { type ModeratedTopic, ModerationService } from './moderation.service.js';
import type { Reply } from './topic.js';

const UserParam = (): MethodDecorator =>
  ApiParam({ name: 'user_id', description: 'Id of the user, the `author.id` of a text.', format: 'uuid' });

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
    summary: 'Moderation queue',
    description:
      'Topics that are hidden, or have hidden replies or open reports, with the ids of these replies and the reports; the latest flagged first.',
  })
  @Paged({ type: [ModeratedTopicBody] })
  @ApiInvalidRequest('A parameter is not valid.')
  queue(@Query() query: ListQueueDto): Promise<Page<ModeratedTopic>> {
    return this.moderation.queue(query);
  }

  @Patch('topics/:id')
  @ApiOperation({
    summary: 'Pin, lock or hide a topic, or settle its reports',
    description: 'Only the flags given are set; the others stay as they are. The change is in the audit log.',
  })
  @ApiParam({ name: 'id', description: 'Id of the topic.', format: 'uuid' })
  @ApiOkResponse({ type: ModeratedTopicBody })
  @ApiInvalidRequest('A field is not valid, or none is given.')
  @ApiProblem(404, 'There is no such topic.', ['not_found'])
  moderate(
    @CurrentUser() operator: UserCaller,
    @Param('id') id: string,
    @Body() input: ModerateTopicDto,
  ): Promise<ModeratedTopic> {
    return this.moderation.moderateTopic(operator, id, input);
  }

  @Patch('topics/:id/replies/:reply_id')
  @ApiOperation({
    summary: 'Hide a reply, show it again, or settle its reports',
    description: 'Only the flags given are set. The change is in the audit log.',
  })
  @ApiParam({ name: 'id', description: 'Id of the topic.', format: 'uuid' })
  @ApiParam({ name: 'reply_id', description: 'Id of the reply.', format: 'uuid' })
  @ApiOkResponse({ type: ReplyBody })
  @ApiInvalidRequest('A field is not valid, or none is given.')
  @ApiProblem(404, 'There is no such topic or reply.', ['not_found'])
  moderateReply(
    @CurrentUser() operator: UserCaller,
    @Param('id') id: string,
    @Param('reply_id') replyId: string,
    @Body() input: ModerateReplyDto,
  ): Promise<Reply> {
    return this.moderation.moderateReply(operator, id, replyId, input);
  }

  @Get('blocks')
  @ApiOperation({ summary: 'List who may not write', description: 'The latest first.' })
  @Paged({ type: [BlockBody] })
  @ApiInvalidRequest('A parameter is not valid.')
  listBlocks(@Query() query: ListBlocksDto): Promise<Page<Block>> {
    return this.blocks.list(query);
  }

  @Put('blocks/:user_id')
  @ApiOperation({
    summary: 'Keep a user from writing',
    description:
      'Topics, replies, changes and reports of the user are refused with 403 `posting_blocked`, which tells the reason; reading and everything outside the forum goes on. With `hide_texts`, what the user wrote is hidden, and comes to the moderation queue. Of a user who is blocked already the reason is replaced. The change is in the audit log.',
  })
  @UserParam()
  @ApiOkResponse({ type: BlockBody })
  @ApiInvalidRequest('A field is not valid.')
  @ApiProblem(404, 'There is no such user.', ['not_found'])
  @ApiProblem(409, 'The user is an operator.', ['operator_not_blocked'])
  block(
    @CurrentUser() operator: UserCaller,
    @Param('user_id') userId: string,
    @Body() input: BlockDto,
  ): Promise<Block> {
    return this.blocks.block(operator, userId, input);
  }

  @Delete('blocks/:user_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Let a user write again',
    description: 'What was hidden stays hidden. The change is in the audit log.',
  })
  @UserParam()
  @ApiNoContentResponse({ description: 'The user may write.' })
  @ApiProblem(404, 'The user is not blocked.', ['not_found'])
  unblock(@CurrentUser() operator: UserCaller, @Param('user_id') userId: string): Promise<void> {
    return this.blocks.unblock(operator, userId);
  }
}
