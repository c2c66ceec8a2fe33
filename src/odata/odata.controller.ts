import { Controller, Get, Headers, Inject, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/settings.js';
import { type ApiCaller, Caller } from '../access/index.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { ODATA_ROOT, ODATA_HEADERS } from '../platform/http/odata.js';
import { serviceAddress } from '../platform/http/server/public-path.js';
import { SETTINGS } from '../platform/platform.module.js';
import { FeedService } from './feed.service.js';
import {
  ApiMaxPageSize,
  ApiOData,
  ApiODataMember,
  ApiODataResource,
  JSON_REPLY,
  PREFERENCE_APPLIED,
} from './http/api-odata.js';
import { entityJson, pageJson, type ReplyStyle, sendJson, sendText } from './http/feed-reply.js';
import { nextLink } from './http/next-link.js';
import { maxPageSize } from './http/preferences.js';
import { dataFormat, metadataFormat } from './http/reply-format.js';
import { ODataVersionGuard } from './http/version.guard.js';
import { notImplemented } from './language/option-fault.js';
import { csdlJson } from './metadata/csdl-json.js';
import { csdlXml } from './metadata/csdl-xml.js';
import { serviceDocument } from './metadata/service-document.js';
import {
  type GivenOptions,
  OF_A_COUNT,
  OF_A_DOCUMENT,
  OF_A_SET,
  OF_A_VALUE,
  OF_AN_ENTITY,
  type RawQuery,
  readOptions,
} from './query-options.js';
import { parseResource } from './resource-path.js';

@ApiTags('OData')
@PublicApi({ feed: true })
@UseGuards(ODataVersionGuard) // after the guards that authenticate the caller
@Controller('odata/v4')
export class ODataController {
  constructor(
    private readonly feed: FeedService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOData(
    {
      summary: 'Get the OData service document',
      description:
        'Returns the entity sets of the feed. `$metadata` describes them; docs/odata.md explains how to connect BI tools.',
    },
    OF_A_DOCUMENT,
    JSON_REPLY({ '@odata.context': 'http://127.0.0.1:3000/odata/v4/$metadata', value: [] }),
  )
  root(@Query() query: RawQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const style = this.style(request, readOptions(query, OF_A_DOCUMENT));
    sendJson(reply, style, serviceDocument(style));
  }

  @Get('$metadata')
  @ApiOData(
    {
      summary: 'Get the OData metadata',
      description: 'Returns the types, keys and navigation properties of all sets, as CSDL in XML or JSON.',
    },
    OF_A_DOCUMENT,
    { 'application/xml': { schema: { type: 'string' } }, ...JSON_REPLY({ $Version: '4.0' }) },
  )
  metadata(@Query() query: RawQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { $format } = readOptions(query, OF_A_DOCUMENT);
    if (metadataFormat($format, request.headers.accept) === 'xml') sendText(reply, 'application/xml', csdlXml());
    else sendText(reply, 'application/json', JSON.stringify(csdlJson()));
  }

  @Post('$batch')
  @RouteConfig({ streamBody: true })
  @ApiExcludeEndpoint() // always rejected, so there is nothing to describe
  batch(@Query() query: RawQuery): never {
    readOptions(query, []);
    throw notImplemented('$batch');
  }

  @Get(':resource')
  @ApiODataResource()
  @ApiMaxPageSize()
  @ApiOData(
    {
      summary: 'Get an OData set or entity',
      description:
        'Returns the rows of a set in pages, with the URL of the next page in `@odata.nextLink`, or the entity with the given key. For an entity, only `$select`, `$expand` and `$format` are allowed.',
    },
    OF_A_SET,
    JSON_REPLY({
      '@odata.context': 'http://127.0.0.1:3000/odata/v4/$metadata#Forecasts(ds,q50)',
      value: [{ ds: '2026-12-01', q50: 204.5 }],
    }),
    PREFERENCE_APPLIED,
  )
  async read(
    @Caller() caller: ApiCaller,
    @Param('resource') segment: string,
    @Query() query: RawQuery,
    @Headers('prefer') prefer: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const resource = parseResource(segment);
    const options = readOptions(query, resource.key ? OF_AN_ENTITY : OF_A_SET);
    const style = this.style(request, options);
    if (resource.key) {
      const entity = await this.feed.entity(caller, resource, options);
      return void (await sendJson(reply, style, entityJson(style, entity)));
    }
    const { rows, applied } = maxPageSize(prefer);
    const page = await this.feed.page(caller, resource, options, { rows, annotated: style.metadata !== 'none' });
    const next = nextLink(style.root, resource.segment, page.next, options.$format);
    if (applied !== undefined) void reply.header('preference-applied', applied);
    await sendJson(reply, style, pageJson(style, page, next));
  }

  @Get(':resource/$count')
  @ApiODataResource()
  @ApiOData(
    {
      summary: 'Count the rows of an OData set',
      description:
        'Returns the number of rows that match `$filter`, as plain text. `$top`, `$skip`, `$orderby` and `$expand` have no effect.',
    },
    OF_A_COUNT,
    { 'text/plain': { schema: { type: 'string', example: '3600' } } },
  )
  async count(
    @Caller() caller: ApiCaller,
    @Param('resource') segment: string,
    @Query() query: RawQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const size = await this.feed.size(caller, parseResource(segment, 'set'), readOptions(query, OF_A_COUNT));
    await sendText(reply, 'text/plain', String(size));
  }

  @Get(':resource/:member')
  @ApiODataMember('A property or navigation property of the entity, such as `workspace`.', 'workspace')
  @ApiOData(
    {
      summary: 'Get a member of an OData entity',
      description: 'Returns a property, or the entity that a navigation property refers to.',
    },
    OF_AN_ENTITY,
    JSON_REPLY({ '@odata.context': 'http://127.0.0.1:3000/odata/v4/$metadata#Workspaces/$entity', name: 'Main' }),
  )
  @ApiResponse({ status: 204, description: 'The value is null, or the related entity no longer exists.' })
  async member(
    @Caller() caller: ApiCaller,
    @Param('resource') segment: string,
    @Param('member') member: string,
    @Query() query: RawQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const options = readOptions(query, OF_AN_ENTITY);
    const style = this.style(request, options);
    const found = await this.feed.member(caller, parseResource(segment, 'entity'), member, options);
    if (found) await sendJson(reply, style, entityJson(style, found));
    else await reply.status(204).headers(ODATA_HEADERS).send();
  }

  @Get(':resource/:member/$value')
  @ApiODataMember('A property of the entity.', 'unique_id')
  @ApiOData(
    { summary: 'Get the raw value of an OData property', description: 'Returns only the value, as plain text.' },
    OF_A_VALUE,
    {
      'text/plain': { schema: { type: 'string', example: 'SKU-1001' } },
    },
  )
  @ApiResponse({ status: 204, description: 'The value is null.' })
  async value(
    @Caller() caller: ApiCaller,
    @Param('resource') segment: string,
    @Param('member') member: string,
    @Query() query: RawQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    readOptions(query, OF_A_VALUE);
    const value = await this.feed.value(caller, parseResource(segment, 'entity'), member);
    if (value === undefined) await reply.status(204).headers(ODATA_HEADERS).send();
    else await sendText(reply, 'text/plain', value);
  }

  private style(request: FastifyRequest, { $format }: GivenOptions): ReplyStyle {
    return {
      root: serviceAddress(request, this.settings.PUBLIC_URL) + ODATA_ROOT,
      ...dataFormat($format, request.headers.accept),
    };
  }
}
