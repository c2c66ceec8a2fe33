import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Remark } from '../../platform/http/validation/change.js';
import { IsFlag } from '../../platform/http/rules/flag.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { PageCursor, PageLimit, pageQuery, type PageSize } from '../../platform/http/page-query.js';
import { IsText } from '../../platform/http/rules/text.js';
import { MAX_BODY_LENGTH, MAX_TITLE_LENGTH } from '../limits.js';
import { QUEUE_STATES, type QueueState } from '../moderation/moderation.queries.js';
import { CATEGORY_SLUGS, type CategorySlug } from '../posts/categories.js';

const FORUM_PAGE: PageSize = { max: 100, default: 50 };
const FORMATS = ['markdown', 'html'] as const;

/** A query with `format`, for readers of texts. */
class FormatDto {
  @OptionalProperty({
    description: '`html` adds `body_html`, the body as sanitized HTML, to every topic and reply.',
    enum: FORMATS,
    default: 'markdown',
  })
  @IsOneOf(FORMATS)
  format?: (typeof FORMATS)[number];
}

class PageDto extends FormatDto {
  @PageLimit(FORUM_PAGE)
  limit = FORUM_PAGE.default;

  @PageCursor()
  cursor?: string;
}

export class ListTopicsDto extends PageDto {
  @OptionalProperty({ description: 'Only topics in this category.', enum: CATEGORY_SLUGS })
  @IsOneOf(CATEGORY_SLUGS)
  category?: CategorySlug;

  @OptionalProperty({
    description: 'Words to search for in titles, bodies and replies. Supports "a phrase", `or` and `-without`.',
    type: String,
    example: 'lead time',
  })
  @IsText({ max: 200 })
  q?: string;
}

export class ReadTopicDto extends PageDto {}

const bodyProperty = {
  description: 'Markdown; stored as is.',
  example: 'Our sales peak in **December**. Which `horizon` do you use?',
};
const titleProperty = { description: 'Title of the topic.', example: 'What horizon should I use for seasonal goods?' };
const categoryProperty = { enum: CATEGORY_SLUGS, description: 'Category of the topic.', example: 'forecasting' };

export class CreateTopicDto {
  @ApiProperty(categoryProperty)
  @IsOneOf(CATEGORY_SLUGS)
  category!: CategorySlug;

  @ApiProperty(titleProperty)
  @IsText({ max: MAX_TITLE_LENGTH })
  title!: string;

  @ApiProperty(bodyProperty)
  @IsText({ max: MAX_BODY_LENGTH, multiline: true })
  body!: string;
}

export class EditTopicDto {
  @OptionalProperty(categoryProperty)
  @IsOneOf(CATEGORY_SLUGS)
  category?: CategorySlug;

  @OptionalProperty(titleProperty)
  @IsText({ max: MAX_TITLE_LENGTH })
  title?: string;

  @OptionalProperty(bodyProperty)
  @IsText({ max: MAX_BODY_LENGTH, multiline: true })
  body?: string;
}

export class WriteReplyDto {
  @ApiProperty({ ...bodyProperty, example: 'Twelve months; the season is known then.' })
  @IsText({ max: MAX_BODY_LENGTH, multiline: true })
  body!: string;
}

export const REPORT_REASONS = ['spam', 'abuse', 'off_topic', 'personal_data', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export class ReportDto {
  @ApiProperty({ enum: REPORT_REASONS, description: 'What is wrong with the post.', example: 'spam' })
  @IsOneOf(REPORT_REASONS)
  reason!: ReportReason;

  @OptionalProperty({
    description: 'Additional information for the operators.',
    example: 'The same ad in three topics.',
  })
  @IsText({ max: 1000, multiline: true })
  comment?: string;
}

export class ListQueueDto extends PageDto {
  @OptionalProperty({
    description:
      'Only topics that are hidden or have hidden replies, or only reported topics. Returns both if omitted.',
    enum: QUEUE_STATES,
  })
  @IsOneOf(QUEUE_STATES)
  state?: QueueState;
}

export class ListBlocksDto extends pageQuery(FORUM_PAGE) {}

export class BlockDto {
  @ApiProperty({ description: 'The reason, shown to the user and recorded in the audit log.', example: 'advertising' })
  @IsText({ max: 500 })
  reason!: string;

  @OptionalProperty({
    description: 'Also hides all topics and replies of the user, and closes the reports about them.',
    type: Boolean,
    default: false,
    example: true,
  })
  @IsFlag()
  hide_texts?: boolean;
}

class ModerationDto {
  @OptionalProperty({ description: 'Hides the post from the public, or shows it again.', example: true })
  @IsFlag()
  hidden?: boolean;

  @OptionalProperty({
    description: '`true` closes the open reports. Otherwise, omit this field.',
    type: Boolean,
    example: true,
  })
  @IsIn([true], { message: 'must be true or omitted' })
  resolve_reports?: true;

  @OptionalProperty({ description: 'The reason, recorded in the audit log.', example: 'advertising' })
  @Remark()
  @IsText({ max: 500 })
  reason?: string;
}

export class ModerateReplyDto extends ModerationDto {}

export class ModerateTopicDto extends ModerationDto {
  @OptionalProperty({ description: 'Pins the topic to the top of lists, or unpins it.', example: true })
  @IsFlag()
  pinned?: boolean;

  @OptionalProperty({
    description: 'Locks the topic so that it accepts no new replies or changes, or unlocks it.',
    example: false,
  })
  @IsFlag()
  locked?: boolean;
}
