import { ApiProperty } from '@nestjs/swagger';
import { CHANGE_KINDS } from '../release.js';

class JsonFeedItemBody {
  @ApiProperty({
    description: 'Stays the same even if the address of the service changes.',
    example: 'urn:uuid:01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55',
  })
  id!: string;
  @ApiProperty({ format: 'uri', example: 'https://example.com/changelog#v1.4.0' })
  url!: string;
  @ApiProperty({ example: '1.4.0: Cancel a run' })
  title!: string;
  @ApiProperty({ example: '<p>You no longer have to wait for a run that was started by mistake.</p>' })
  content_html!: string;
  @ApiProperty({ format: 'date-time' })
  date_published!: string;
  @ApiProperty({ format: 'date-time' })
  date_modified!: string;
  @ApiProperty({ enum: CHANGE_KINDS, isArray: true, example: ['added'] })
  tags!: string[];
}

/** JSON Feed 1.1, limited to the members that the changelog uses. */
export class JsonFeedBody {
  @ApiProperty({ example: 'https://jsonfeed.org/version/1.1' })
  version!: string;
  @ApiProperty({ example: 'Demand forecasting service: releases' })
  title!: string;
  @ApiProperty({ example: 'What changed in the demand forecasting service, release by release.' })
  description!: string;
  @ApiProperty({ format: 'uri', example: 'https://example.com/changelog' })
  home_page_url!: string;
  @ApiProperty({ format: 'uri', example: 'https://example.com/changelog.json' })
  feed_url!: string;
  @ApiProperty({ example: 'en' })
  language!: string;
  @ApiProperty({ type: [JsonFeedItemBody] })
  items!: JsonFeedItemBody[];
}
