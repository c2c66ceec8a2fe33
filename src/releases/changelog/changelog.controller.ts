import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../../config/settings.js';
import { Public } from '../../platform/http/access-declaration.js';
import { ApiInvalidRequest } from '../../platform/http/api-problem.js';
import { ApiConditional, sendConditional } from '../../platform/http/replies/conditional.js';
import { serviceAddress } from '../../platform/http/server/public-path.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { ChangelogPageDto } from '../dto/inputs.dto.js';
import { JsonFeedBody } from '../dto/json-feed.dto.js';
import { ReleasesService } from '../releases.service.js';
import { CHANGELOG_HEADERS, changelogPage } from './changelog-page.js';
import { atomFeed, jsonFeed } from './feeds.js';

/** Releases per page for people, and in a feed: its items link to the first page, which must contain them. */
const RELEASES_A_PAGE = 20;

/** The changelog for people and their feed readers. */
@ApiTags('Releases')
@Public()
@Controller()
export class ChangelogController {
  constructor(
    private readonly releases: ReleasesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('changelog')
  @ApiOperation({
    summary: 'Open the changelog page',
    description: 'Returns the changelog as an HTML page for people.',
  })
  @ApiConditional({ content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } } })
  @ApiInvalidRequest('A parameter is invalid.')
  async page(
    @Query() query: ChangelogPageDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.releases.list({ ...query, limit: RELEASES_A_PAGE });
    void reply.headers(CHANGELOG_HEADERS);
    sendConditional(request, reply, 'text/html; charset=utf-8', changelogPage(page.items, page.next));
  }

  @Get('changelog.json')
  @ApiOperation({
    summary: 'Get the changelog as JSON Feed',
    description: 'Returns the latest releases as a JSON Feed 1.1.',
  })
  @ApiExtraModels(JsonFeedBody)
  @ApiConditional({
    content: {
      'application/feed+json': {
        schema: { $ref: getSchemaPath(JsonFeedBody) },
      },
    },
  })
  async json(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { items } = await this.releases.list({ limit: RELEASES_A_PAGE });
    sendConditional(
      request,
      reply,
      'application/feed+json; charset=utf-8',
      JSON.stringify(jsonFeed(items, this.base(request))),
    );
  }

  @Get('changelog.atom')
  @ApiOperation({
    summary: 'Get the changelog as Atom feed',
    description: 'Returns the latest releases as an Atom feed (RFC 4287).',
  })
  @ApiConditional({
    content: {
      'application/atom+xml': { schema: { type: 'string' }, example: '<?xml version="1.0" encoding="utf-8"?>…' },
    },
  })
  async atom(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { items } = await this.releases.list({ limit: RELEASES_A_PAGE });
    sendConditional(request, reply, 'application/atom+xml; charset=utf-8', atomFeed(items, this.base(request)));
  }

  private base(request: FastifyRequest): string {
    return serviceAddress(request, this.settings.PUBLIC_URL);
  }
}
