import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { Remark } from '../../platform/http/change.js';
import { Omittable } from '../../platform/http/omittable.js';
import { IsOneOf } from '../../platform/http/one-of.js';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { IsText } from '../../platform/http/text.js';
import { CATEGORY_SLUGS, type CategorySlug } from '../categories.js';
import { QUEUE_STATES, type QueueState } from '../moderation.queries.js';
import { REPORT_REASONS, type ReportReason } from '../reports.queries.js';
import { BODY_MAX, TITLE_MAX } from '../topic.js';

export const FORUM_PAGE: PageSize = { max: 100, default: 50 };
const FORMATS = ['markdown', 'html'] as const;

/** Query with `format`, for readers of texts. */
class FormatDto {
  @ApiPropertyOptional({
    description: '`html` adds `body_html`, the text rendered and sanitised, to every topic and reply.',
    enum: FORMATS,
    default: 'markdown',
  })
  @Omittable()
  @IsOneOf(FORMATS)
  format?: (typeof FORMATS)[number];
}

class PageDto extends FormatDto {
  @PageLimit(FORUM_PAGE)
  limit?: number;

  @PageCursor()
  cursor?: string;
}

export class ListTopicsDto extends PageDto {
  @ApiPropertyOptional({ description: 'Only topics of this category.', enum: CATEGORY_SLUGS })
  @Omittable()
  @IsOneOf(CATEGORY_SLUGS)
  category?: CategorySlug;

  @ApiPropertyOptional({
    description: 'Words to find in titles, texts and replies; "a phrase", `or` and `-without` work.',
    type: String,
    example: 'lead time',
  })
  @Omittable()
  @IsText({ max: 200 })
  q?: string;
}

export class ReadTopicDto extends PageDto {}

const bodyProperty = {
  description: 'Markdown; stored as it is.',
  example: 'Our sales peak in **December**. Which `horizon` do you use?',
};
const titleProperty = { example: 'How long a horizon for seasonal goods?' };
const categoryProperty = { enum: CATEGORY_SLUGS, example: 'forecasting' };

export class CreateTopicDto {
  @ApiProperty(categoryProperty)
  @IsOneOf(CATEGORY_SLUGS)
  category!: CategorySlug;

  @ApiProperty(titleProperty)
  @IsText({ max: TITLE_MAX })
  title!: string;

  @ApiProperty(bodyProperty)
  @IsText({ max: BODY_MAX, multiline: true })
  body!: string;
}

export class EditTopicDto {
  @ApiPropertyOptional(categoryProperty)
  @Omittable()
  @IsOneOf(CATEGORY_SLUGS)
  category?: CategorySlug;

  @ApiPropertyOptional(titleProperty)
  @Omittable()
  @IsText({ max: TITLE_MAX })
  title?: string;

  @ApiPropertyOptional(bodyProperty)
  @Omittable()
  @IsText({ max: BODY_MAX, multiline: true })
  body?: string;
}

export class WriteReplyDto {
  @ApiProperty({ ...bodyProperty, example: 'Twelve months; the season is known then.' })
  @IsText({ max: BODY_MAX, multiline: true })
  body!: string;
}

export class ReportDto {
  @ApiProperty({ enum: REPORT_REASONS, example: 'spam' })
  @IsOneOf(REPORT_REASONS)
  reason!: ReportReason;

  @ApiPropertyOptional({
    description: 'What the operators should know.',
    example: 'The same advert in three topics.',
  })
  @Omittable()
  @IsText({ max: 1000, multiline: true })
  comment?: string;
}

export class ListQueueDto extends PageDto {
  @ApiPropertyOptional({
    description: 'Only topics that are hidden or have hidden replies, or only reported ones; both without it.',
    enum: QUEUE_STATES,
  })
  @Omittable()
  @IsOneOf(QUEUE_STATES)
  state?: QueueState;
}

export class ListBlocksDto {
  @PageLimit(FORUM_PAGE)
  limit?: number;

  @PageCursor()
  cursor?: string;
}

export class BlockDto {
  @ApiProperty({ description: 'Why; the user is told, and the audit log.', example: 'advertising' })
  @IsText({ max: 500 })
  reason!: string;

  @ApiPropertyOptional({
    description: 'Hides all topics and replies of the user too, and closes the reports on them.',
    type: Boolean,
    default: false,
    example: true,
  })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  hide_texts?: boolean;
}

class ModerationDto {
  @ApiPropertyOptional({ description: 'Hides it from the public, or shows it again.', example: true })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  hidden?: boolean;

  @ApiPropertyOptional({ description: '`true` closes the open reports; else left out.', type: Boolean, example: true })
  @Omittable()
  @IsIn([true], { message: 'must be true, or left out' })
  resolve_reports?: true;

  @ApiPropertyOptional({ description: 'Why; kept in the audit log.', example: 'advertising' })
  @Remark()
  @Omittable()
  @IsText({ max: 500 })
  reason?: string;
}

export class ModerateReplyDto extends ModerationDto {}

export class ModerateTopicDto extends ModerationDto {
  @ApiPropertyOptional({ description: 'Keeps it at the head of lists.', example: true })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  pinned?: boolean;

  @ApiPropertyOptional({ description: 'Takes no more replies.', example: false })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  locked?: boolean;
}
