import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentUser, type UserCaller } from '../access/index.js';
import { SignedIn } from '../platform/http/access-declaration.js';
import { ApiPage, Paged } from '../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import { ApiCreatedAt } from '../platform/http/replies/created.js';
import { linkNext, type Page } from '../platform/http/pagination.js';
import {
  CreateTopicDto,
  EditTopicDto,
  ListTopicsDto,
  ReadTopicDto,
  ReportDto,
  WriteReplyDto,
} from './dto/inputs.dto.js';
import { CategoryBody, ReplyBody, ReportBody, TopicBody, TopicSummaryBody } from './dto/replies.dto.js';
import { memberOf } from './member.js';
import { ReportsService } from './moderation/reports.service.js';
import { RepliesService } from './posts/replies.service.js';
import { TopicsService } from './posts/topics.service.js';

const TopicParam = (): MethodDecorator => ApiParam({ name: 'id', description: 'Id of the topic.', format: 'uuid' });
const NoTopic = (): MethodDecorator => ApiProblem(404, 'The topic does not exist or is hidden.', ['not_found']);
const NoReply = (): MethodDecorator =>
  ApiProblem(404, 'The topic or reply does not exist or is hidden.', ['not_found']);
const Invalid = (): MethodDecorator => ApiInvalidRequest('A parameter or field is invalid.');
const NotAuthor = (): MethodDecorator => ApiProblem(403, 'You are not the author.', ['not_the_author']);
const Blocked = (): MethodDecorator => ApiProblem(403, 'Operators have blocked you from posting.', ['posting_blocked']);
const NotEditable = (): MethodDecorator =>
  ApiProblem(403, 'You are not the author, or operators have blocked you from posting.', [
    'not_the_author',
    'posting_blocked',
  ]);
const TooFast = (): MethodDecorator =>
  ApiProblem(429, 'Too many posts in the last hour; see Retry-After.', ['posting_too_fast']);

/** The forum for readers and writers. */
@ApiTags('Community')
@SignedIn()
@Controller('community')
export class CommunityController {
  constructor(
    private readonly topics: TopicsService,
    private readonly replies: RepliesService,
    private readonly reports: ReportsService,
  ) {}

  @Get('categories')
  @ApiOperation({
    summary: 'List categories',
    description: 'Returns the five categories with their number of topics, in a fixed order.',
  })
  @ApiOkResponse({ type: [CategoryBody] })
  categories(): Promise<CategoryBody[]> {
    return this.topics.categories();
  }

  @Get('topics')
  @ApiOperation({
    summary: 'List or search topics',
    description:
      'Returns pinned topics first, then the others by latest activity. Hidden topics are excluded. To get the replies, get a single topic.',
  })
  @Paged({ type: [TopicSummaryBody] })
  @Invalid()
  list(@CurrentUser() user: UserCaller, @Query() query: ListTopicsDto): Promise<Page<TopicSummaryBody>> {
    return this.topics.list(memberOf(user), query);
  }

  @Post('topics')
  @ApiOperation({
    summary: 'Create a topic',
    description: 'The body is Markdown with 1 to 20,000 characters and is stored as is.',
  })
  @ApiCreatedAt('topic', TopicBody)
  @Invalid()
  @Blocked()
  @TooFast()
  async create(
    @CurrentUser() user: UserCaller,
    @Body() input: CreateTopicDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TopicBody> {
    const topic = await this.topics.create(memberOf(user), input);
    void reply.header('location', `/community/topics/${topic.id}`);
    return topic;
  }

  @Get('topics/:id')
  @ApiOperation({
    summary: 'Get a topic with its replies',
    description:
      'Returns a topic with up to `limit` replies, oldest first. The Link header leads to the next page of replies.',
  })
  @TopicParam()
  @ApiPage({ type: TopicBody })
  @Invalid()
  @NoTopic()
  async read(
    @CurrentUser() user: UserCaller,
    @Param('id') id: string,
    @Query() query: ReadTopicDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TopicBody> {
    const { topic, next } = await this.topics.read(memberOf(user), id, query);
    linkNext(request, reply, next);
    return topic;
  }

  @Patch('topics/:id')
  @ApiOperation({
    summary: 'Edit your topic',
    description: 'A topic can be edited for 30 minutes after it was written, unless it is locked.',
  })
  @TopicParam()
  @ApiOkResponse({ type: TopicBody })
  @Invalid()
  @NotEditable()
  @NoTopic()
  @ApiProblem(409, 'The edit window has closed, or the topic is locked.', ['edit_window_closed', 'topic_locked'])
  edit(@CurrentUser() user: UserCaller, @Param('id') id: string, @Body() input: EditTopicDto): Promise<TopicBody> {
    return this.topics.edit(memberOf(user), id, input);
  }

  @Delete('topics/:id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete your topic',
    description:
      'A topic can be deleted for 30 minutes after it was written, unless it is locked or somebody else has replied.',
  })
  @TopicParam()
  @ApiNoContentResponse({ description: 'Deleted together with its text.' })
  @NotAuthor()
  @NoTopic()
  @ApiProblem(409, 'The edit window has closed, the topic is locked, or others have replied.', [
    'edit_window_closed',
    'topic_locked',
    'topic_has_replies',
  ])
  remove(@CurrentUser() user: UserCaller, @Param('id') id: string): Promise<void> {
    return this.topics.remove(memberOf(user), id);
  }

  @Post('topics/:id/replies')
  @ApiOperation({
    summary: 'Reply to a topic',
    description: 'The body is Markdown with 1 to 20,000 characters and is stored as is.',
  })
  @TopicParam()
  @ApiCreatedResponse({ type: ReplyBody })
  @Invalid()
  @NoTopic()
  @ApiProblem(409, 'The topic accepts no new replies.', ['topic_locked'])
  @Blocked()
  @TooFast()
  reply(@CurrentUser() user: UserCaller, @Param('id') id: string, @Body() input: WriteReplyDto): Promise<ReplyBody> {
    return this.replies.add(memberOf(user), id, input);
  }

  @Patch('topics/:id/replies/:reply_id')
  @ApiOperation({
    summary: 'Edit your reply',
    description: 'A reply can be edited or deleted for 30 minutes after it was written, unless the topic is locked.',
  })
  @TopicParam()
  @ApiOkResponse({ type: ReplyBody })
  @Invalid()
  @NotEditable()
  @NoReply()
  @ApiProblem(409, 'The edit window has closed, or the topic is locked.', ['edit_window_closed', 'topic_locked'])
  editReply(
    @CurrentUser() user: UserCaller,
    @Param('id') id: string,
    @Param('reply_id') replyId: string,
    @Body() input: WriteReplyDto,
  ): Promise<ReplyBody> {
    return this.replies.edit(memberOf(user), id, replyId, input);
  }

  @Delete('topics/:id/replies/:reply_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete your reply',
    description: 'A reply can be edited or deleted for 30 minutes after it was written, unless the topic is locked.',
  })
  @TopicParam()
  @ApiNoContentResponse({ description: 'Deleted together with its text.' })
  @NotAuthor()
  @NoReply()
  @ApiProblem(409, 'The edit window has closed, or the topic is locked.', ['edit_window_closed', 'topic_locked'])
  removeReply(
    @CurrentUser() user: UserCaller,
    @Param('id') id: string,
    @Param('reply_id') replyId: string,
  ): Promise<void> {
    return this.replies.remove(memberOf(user), id, replyId);
  }

  @Post('topics/:id/report')
  @ApiOperation({
    summary: 'Report a topic',
    description:
      'Reports the topic to the operators. It stays in the moderation queue until an operator resolves the report.',
  })
  @TopicParam()
  @ApiCreatedResponse({ type: ReportBody })
  @Invalid()
  @NoTopic()
  @ApiProblem(409, 'You have already reported this, and the report is still open.', ['already_reported'])
  @Blocked()
  @TooFast()
  report(@CurrentUser() user: UserCaller, @Param('id') id: string, @Body() input: ReportDto): Promise<ReportBody> {
    return this.reports.file(memberOf(user), id, null, input);
  }

  @Post('topics/:id/replies/:reply_id/report')
  @ApiOperation({
    summary: 'Report a reply',
    description:
      'Reports the reply to the operators. Its topic stays in the moderation queue until an operator resolves the report.',
  })
  @TopicParam()
  @ApiCreatedResponse({ type: ReportBody })
  @Invalid()
  @NoReply()
  @ApiProblem(409, 'You have already reported this, and the report is still open.', ['already_reported'])
  @Blocked()
  @TooFast()
  reportReply(
    @CurrentUser() user: UserCaller,
    @Param('id') id: string,
    @Param('reply_id') replyId: string,
    @Body() input: ReportDto,
  ): Promise<ReportBody> {
    return this.reports.file(memberOf(user), id, replyId, input);
  }
}
