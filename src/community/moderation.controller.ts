import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type UserCaller } from '../access/index.js';
import { Operator } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { ListQueueDto, ModerateReplyDto, ModerateTopicDto } from './dto/inputs.dto.js';
import { ModeratedTopicBody, ReplyBody } from './dto/replies.dto.js';
import { type ModeratedTopic, ModerationService } from './moderation.service.js';
import type { Reply } from './topic.js';

/** The forum for its moderators. */
@ApiTags('Community moderation')
@Operator()
@Controller('admin/community')
export class ModerationController {
  constructor(private readonly moderation: ModerationService) {}

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
}
