import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, ValidateNested } from 'class-validator';
import { nullableString } from '../../platform/http/openapi/api-properties.js';
import { IsDay } from '../../platform/http/rules/calendar-day.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { propertyRule } from '../../platform/http/rules/property-rule.js';
import { IsText } from '../../platform/http/rules/text.js';
import {
  CHANGE_KINDS,
  type ChangeKind,
  MAX_ENTRIES,
  MAX_ENTRY_LENGTH,
  MAX_NOTES_LENGTH,
  MAX_TITLE_LENGTH,
} from '../release.js';
import { isVersion } from '../version.js';

/** Keep a Changelog capitalizes its kinds. */
const AnyCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));
const IsVersion = (): PropertyDecorator =>
  propertyRule('isVersion', (value) =>
    typeof value === 'string' && isVersion(value)
      ? undefined
      : 'must be a semantic version such as 1.4.0 or 2.0.0-beta.1, without a leading v and without build metadata',
  );

const RELEASES_PAGE: PageSize = { max: 100, default: 50 };

/** The page for people has a fixed size. */
export class ChangelogPageDto {
  @PageCursor('Cursor from the link to the next page.')
  cursor?: string;
}

export class ListReleasesDto extends ChangelogPageDto {
  @PageLimit(RELEASES_PAGE)
  limit = RELEASES_PAGE.default;
}

export class EntryDto {
  @ApiProperty({ enum: CHANGE_KINDS, description: 'Kind of the change.', example: 'added' })
  @AnyCase()
  @IsOneOf(CHANGE_KINDS)
  kind!: ChangeKind;

  @ApiProperty({ description: 'Markdown.', example: 'Runs can be canceled.' })
  @IsText({ max: MAX_ENTRY_LENGTH, multiline: true })
  text!: string;
}

const dayProperty = { description: 'The day of the release.', format: 'date', example: '2026-11-21' };
const titleProperty = { description: 'What is new, in a few words.', example: 'Cancel a run' };
const notesProperty = {
  description: 'Markdown.',
  example: 'You no longer have to wait for a run that was started by mistake.',
};
const kindProperty = {
  description: 'The main kind of change in the release; defaults to the kind of its first entry.',
  enum: CHANGE_KINDS,
  example: 'added',
};
const entriesProperty = { type: EntryDto, isArray: true, description: 'The individual changes.' } as const;

class ReleaseTextDto {
  @OptionalProperty(kindProperty)
  @AnyCase()
  @IsOneOf(CHANGE_KINDS)
  kind?: ChangeKind;

  @OptionalProperty(entriesProperty)
  @ArrayMaxSize(MAX_ENTRIES, { message: `must have at most ${MAX_ENTRIES} entries` })
  @ValidateNested({ each: true, message: 'must be a list of entries, each with kind and text' })
  @Type(() => EntryDto)
  @IsArray({ message: 'must be a list of entries' })
  entries?: EntryDto[];
}

export class CreateReleaseDto extends ReleaseTextDto {
  @ApiProperty({ description: 'A unique semantic version without build metadata.', example: '1.4.0' })
  @IsVersion()
  version!: string;

  @ApiProperty(dayProperty)
  @IsDay()
  released_on!: string;

  @ApiProperty(titleProperty)
  @IsText({ max: MAX_TITLE_LENGTH })
  title!: string;

  @OptionalProperty(notesProperty)
  @IsText({ max: MAX_NOTES_LENGTH, multiline: true })
  notes?: string;
}

export class EditReleaseDto extends ReleaseTextDto {
  @OptionalProperty(dayProperty)
  @IsDay()
  released_on?: string;

  @OptionalProperty(titleProperty)
  @IsText({ max: MAX_TITLE_LENGTH })
  title?: string;

  @OptionalProperty({ ...notesProperty, ...nullableString, description: 'Markdown; null removes the notes.' })
  @IsText({ max: MAX_NOTES_LENGTH, multiline: true })
  notes?: string | null;
}
