import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CATEGORIES, CATEGORY_SLUGS } from '../categories.js';
import { EXCERPT, REPORT_REASONS } from '../reports.queries.js';

// Schemas of what the forum answers. The values are built by the services; these classes only describe them.

const id = { format: 'uuid', example: '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55' };
const instant = { format: 'date-time', example: '2026-11-21T06:00:00.000Z' };

export class CategoryBody {
  @ApiProperty({ enum: CATEGORY_SLUGS, example: CATEGORIES[1].slug })
  slug!: string;
  @ApiProperty({ example: CATEGORIES[1].name })
  name!: string;
  @ApiProperty({ example: CATEGORIES[1].description })
  description!: string;
  @ApiProperty({ type: 'integer', example: 42 })
  topic_count!: number;
  @ApiProperty({ ...instant, type: String, nullable: true, description: 'Null while the category has no topic.' })
  last_activity_at!: Date | null;
}

class AuthorBody {
  @ApiProperty(id)
  id!: string;
  @ApiProperty({ example: 'Ada Planner' })
  name!: string;
}

class PostBody {
  @ApiProperty(id)
  id!: string;
  @ApiProperty({ type: AuthorBody, nullable: true, description: 'Null where the account is gone.' })
  author!: AuthorBody | null;
  @ApiProperty({ description: 'Markdown as written.', example: 'Which `horizon` do you use?' })
  body!: string;
  @ApiPropertyOptional({
    description: 'With `format=html`: the text as sanitised HTML.',
    example: '<p>Which <code>horizon</code> do you use?</p>',
  })
  body_html?: string;
  @ApiProperty(instant)
  created_at!: Date;
  @ApiProperty({ ...instant, type: String, nullable: true, example: null })
  edited_at!: Date | null;
}

export class ReplyBody extends PostBody {
  @ApiProperty(id)
  topic_id!: string;
  @ApiProperty({ description: 'Hidden by an operator; only operators see it.', example: false })
  hidden!: boolean;
}

export class TopicSummaryBody extends PostBody {
  @ApiProperty({ enum: CATEGORY_SLUGS, example: 'forecasting' })
  category!: string;
  @ApiProperty({ example: 'How long a horizon for seasonal goods?' })
  title!: string;
  @ApiProperty({ description: 'At the head of lists.', example: false })
  pinned!: boolean;
  @ApiProperty({ description: 'Takes no new replies.', example: false })
  locked!: boolean;
  @ApiProperty({ description: 'Removed from the public list; only operators see it.', example: false })
  hidden!: boolean;
  @ApiProperty({ type: 'integer', example: 3 })
  reply_count!: number;
  @ApiProperty({ ...instant, description: 'When the topic, or its latest reply, was written.' })
  last_activity_at!: Date;
}

export class TopicBody extends TopicSummaryBody {
  @ApiProperty({ type: [ReplyBody], description: 'Oldest first; more pages by the Link header.' })
  replies!: ReplyBody[];
}

export class ReportBody {
  @ApiProperty(id)
  id!: string;
  @ApiProperty(id)
  topic_id!: string;
  @ApiProperty({
    ...id,
    type: String,
    nullable: true,
    description: 'Null when the topic itself is reported.',
    example: null,
  })
  reply_id!: string | null;
  @ApiProperty({ enum: REPORT_REASONS, example: 'spam' })
  reason!: string;
  @ApiProperty({ type: String, nullable: true, example: 'The same advert in three topics.' })
  comment!: string | null;
  @ApiProperty(instant)
  created_at!: Date;
}

export class BlockBody {
  @ApiProperty({ ...id, description: 'Of the user.' })
  id!: string;
  @ApiProperty({ example: 'Ada Planner' })
  name!: string;
  @ApiProperty({ example: 'advertising' })
  reason!: string;
  @ApiProperty({ ...instant, description: 'Since when the user may not write.' })
  created_at!: Date;
}

class ReportedReplyBody {
  @ApiProperty({ type: AuthorBody, nullable: true, description: 'Null where the account is gone.' })
  author!: AuthorBody | null;
  @ApiProperty({
    description: `Its first ${EXCERPT} characters, as it stands; empty where its author has deleted it.`,
    example: 'Buy now!',
  })
  excerpt!: string;
}

class OpenReportBody extends ReportBody {
  @ApiProperty({
    type: ReportedReplyBody,
    nullable: true,
    description: 'The reply; null when the topic itself is reported.',
  })
  reply!: ReportedReplyBody | null;
  @ApiProperty({ type: AuthorBody })
  reporter!: AuthorBody;
}

export class ModeratedTopicBody extends TopicSummaryBody {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Replies that are hidden, newest first; the topic itself shows their texts to operators.',
    example: [id.example],
  })
  hidden_reply_ids!: string[];
  @ApiProperty({ type: [OpenReportBody], description: 'Open reports, newest first.' })
  reports!: OpenReportBody[];
}
