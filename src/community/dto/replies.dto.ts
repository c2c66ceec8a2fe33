import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { idProperty, instantProperty, nullableString } from '../../platform/http/openapi/api-properties.js';
import { MAX_EXCERPT, MAX_LISTED } from '../limits.js';
import { CATEGORIES, CATEGORY_SLUGS, type CategorySlug } from '../posts/categories.js';
import { REPORT_REASONS, type ReportReason } from './inputs.dto.js';

export class CategoryBody {
  @ApiProperty({
    enum: CATEGORY_SLUGS,
    description: 'The value of `category` in requests and topics.',
    example: CATEGORIES[1].slug,
  })
  slug!: CategorySlug;
  @ApiProperty({ description: 'Name of the category, for people.', example: CATEGORIES[1].name })
  name!: string;
  @ApiProperty({ description: 'What belongs in the category.', example: CATEGORIES[1].description })
  description!: string;
  @ApiProperty({ type: 'integer', description: 'Number of topics in the category.', example: 42 })
  topic_count!: number;
  @ApiProperty({ ...instantProperty, ...nullableString, description: 'Null if the category has no topics.' })
  last_activity_at!: Date | null;
}

class AuthorBody {
  @ApiProperty(idProperty)
  id!: string;
  @ApiProperty({ description: 'Name of the author, as others see it.', example: 'Ada Planner' })
  name!: string;
}

/** What topics and replies have in common. */
export class PostBody {
  @ApiProperty(idProperty)
  id!: string;
  @ApiProperty({ type: AuthorBody, nullable: true, description: 'Null if the account was deleted.' })
  author!: AuthorBody | null;
  @ApiProperty({ description: 'The text in Markdown, as written.', example: 'Which `horizon` do you use?' })
  body!: string;
  @ApiPropertyOptional({
    description: 'The body as sanitized HTML; only with `format=html`.',
    example: '<p>Which <code>horizon</code> do you use?</p>',
  })
  body_html?: string;
  @ApiProperty(instantProperty)
  created_at!: Date;
  @ApiProperty({ ...instantProperty, ...nullableString, example: null })
  edited_at!: Date | null;
}

export class ReplyBody extends PostBody {
  @ApiProperty({ ...idProperty, description: 'Id of the topic that it replies to.' })
  topic_id!: string;
  @ApiProperty({
    description: 'Whether an operator has hidden the reply. Only operators see hidden replies.',
    example: false,
  })
  hidden!: boolean;
}

/** A topic as shown in lists. */
export class TopicSummaryBody extends PostBody {
  @ApiProperty({ enum: CATEGORY_SLUGS, description: 'Category of the topic.', example: 'forecasting' })
  category!: CategorySlug;
  @ApiProperty({ description: 'Title of the topic.', example: 'What horizon should I use for seasonal goods?' })
  title!: string;
  @ApiProperty({ description: 'Whether the topic is kept at the top of lists.', example: false })
  pinned!: boolean;
  @ApiProperty({ description: 'Whether the topic accepts no new replies.', example: false })
  locked!: boolean;
  @ApiProperty({
    description: 'Whether an operator has hidden the topic. Only operators see hidden topics.',
    example: false,
  })
  hidden!: boolean;
  @ApiProperty({ type: 'integer', description: 'Number of replies.', example: 3 })
  reply_count!: number;
  @ApiProperty({ ...instantProperty, description: 'When the topic or its latest reply was written.' })
  last_activity_at!: Date;
}

/** A topic with the first page of its replies. */
export class TopicBody extends TopicSummaryBody {
  @ApiProperty({ type: [ReplyBody], description: 'Oldest first. For more replies, follow the Link header.' })
  replies!: readonly ReplyBody[];
}

/** A report as returned to the reporter. */
export class ReportBody {
  @ApiProperty(idProperty)
  id!: string;
  @ApiProperty({ ...idProperty, description: 'Id of the topic that is reported, or whose reply is.' })
  topic_id!: string;
  @ApiProperty({
    ...idProperty,
    ...nullableString,
    description: 'Null if the topic itself was reported.',
    example: null,
  })
  reply_id!: string | null;
  @ApiProperty({ enum: REPORT_REASONS, description: 'Why the post was reported.', example: 'spam' })
  reason!: ReportReason;
  @ApiProperty({
    ...nullableString,
    description: 'What the reporter added. Null if nothing.',
    example: 'The same ad in three topics.',
  })
  comment!: string | null;
  @ApiProperty(instantProperty)
  created_at!: Date;
}

/** A user who may not post in the forum. */
export class BlockBody {
  @ApiProperty({ ...idProperty, description: 'Id of the user.' })
  id!: string;
  @ApiProperty({ description: 'Name of the blocked user.', example: 'Ada Planner' })
  name!: string;
  @ApiProperty({ description: 'Why the user was blocked.', example: 'advertising' })
  reason!: string;
  @ApiProperty({ ...instantProperty, description: 'When the user was blocked.' })
  created_at!: Date;
}

class ReportedReplyBody {
  @ApiProperty({ type: AuthorBody, nullable: true, description: 'Null if the account was deleted.' })
  author!: AuthorBody | null;
  @ApiProperty({
    description: `The first ${MAX_EXCERPT} characters of the current text; empty if the author has deleted the reply.`,
    example: 'Buy now!',
  })
  excerpt!: string;
}

/** A report as operators see it. */
export class OpenReportBody extends ReportBody {
  @ApiProperty({
    type: ReportedReplyBody,
    nullable: true,
    description: 'The reported reply; null if the topic itself was reported.',
  })
  reply!: ReportedReplyBody | null;
  @ApiProperty({ type: AuthorBody, description: 'Who reported the post.' })
  reporter!: AuthorBody;
}

/** A topic as operators see it. */
export class ModeratedTopicBody extends TopicSummaryBody {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: `Ids of the hidden replies, newest first, at most ${MAX_LISTED}. Operators can read their texts in the topic itself.`,
    example: [idProperty.example],
  })
  hidden_reply_ids!: readonly string[];
  @ApiProperty({ type: [OpenReportBody], description: `Open reports, newest first, at most ${MAX_LISTED}.` })
  reports!: readonly OpenReportBody[];
}
