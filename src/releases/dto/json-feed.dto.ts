import { ApiProperty } from '@nestjs/swagger';
import { CHANGE_KINDS } from '../release.js';

class JsonFeedItemBody {
  @ApiProperty({
    description: 'Stays the same even if the address of the service changes.',
    example: 'urn:uuid:01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55',
  })
  id!: string;
  @ApiProperty({
    format: 'uri',
    description: 'URL of the release on the page.',
    example: 'https://example.com/changelog#v1.4.0',
  })
  url!: string;
  @ApiProperty({ description: 'Version and title of the release.', example: '1.4.0: Cancel a run' })
  title!: string;
  @ApiProperty({
    description: 'The release notes as HTML.',
    example: '<p>You no longer have to wait for a run that was started by mistake.</p>',
  })
  content_html!: string;
  @ApiProperty({ format: 'date-time', description: 'When the version was released.' })
  date_published!: string;
  @ApiProperty({ format: 'date-time', description: 'When the entry was last changed.' })
  date_modified!: string;
  @ApiProperty({
    enum: CHANGE_KINDS,
    isArray: true,
    description: 'The kinds of changes in the release.',
    example: ['added'],
  })
  tags!: string[];
}

/** JSON Feed 1.1, limited to the members that the changelog uses. */
export class JsonFeedBody {
  @ApiProperty({ description: 'The version of the JSON Feed format.', example: 'https://jsonfeed.org/version/1.1' })
  version!: string;
  @ApiProperty({ description: 'Title of the feed.', example: 'Demand forecasting service: releases' })
  title!: string;
  @ApiProperty({
    description: 'What the feed contains.',
    example: 'What changed in the demand forecasting service, release by release.',
  })
  description!: string;
  @ApiProperty({
    format: 'uri',
    description: 'URL of the page with the same content.',
    example: 'https://example.com/changelog',
  })
  home_page_url!: string;
  @ApiProperty({ format: 'uri', description: 'URL of the feed.', example: 'https://example.com/changelog.json' })
  feed_url!: string;
  @ApiProperty({ description: 'Language of the feed.', example: 'en' })
  language!: string;
  @ApiProperty({ type: [JsonFeedItemBody], description: 'The releases, newest first.' })
  items!: JsonFeedItemBody[];
}
