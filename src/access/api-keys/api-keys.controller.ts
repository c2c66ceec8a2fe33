import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { Clock } from '../../platform/clock.js';
import { OrganizationRole } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { PageQueryDto } from '../../platform/http/page-query.js';
import { mapPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { CurrentMember, type MemberCaller } from '../guard/caller.js';
import { inRanges, normalizeRanges, parseAddress } from '../../../config/ip-ranges.js';
import {
  ApiKeyBody,
  ChangeApiKeyDto,
  CheckAddressDto,
  CheckedAddressBody,
  CreateApiKeyDto,
  IssuedApiKeyBody,
  RotateApiKeyDto,
} from './api-keys.dto.js';
import type { ApiKeyRow } from './api-keys.queries.js';
import { ApiKeysService } from './api-keys.service.js';
import type { IssuedApiKey } from './issue-api-key.js';
import { keyState } from './key-state.js';

@ApiTags('API keys')
@OrganizationRole('admin')
@Controller('orgs/:org_id/api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List API keys',
    description: 'Newest first, those that have ended too. The keys themselves are not stored.',
  })
  @Paged({ type: [ApiKeyBody] })
  @ApiInvalidQuery()
  async list(@CurrentMember() caller: MemberCaller, @Query() query: PageQueryDto): Promise<Page<ApiKeyBody>> {
    return mapPage(await this.keys.list(caller, query), (key) => this.body(key));
  }

  @Post()
  @ApiOperation({
    summary: 'Make an API key',
    description: 'The reply shows the key, this once. As many live keys as the plan allows.',
  })
  @ApiCreatedResponse({ type: IssuedApiKeyBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The plan allows no more; carries `limit` and `used`.', ['plan_limit_reached'])
  async create(@CurrentMember() caller: MemberCaller, @Body() body: CreateApiKeyDto): Promise<IssuedApiKeyBody> {
    return this.issued(await this.keys.create(caller, body));
  }

  @Post('check-address')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Would an address pass an allowlist',
    description:
      'Tells whether the given address, or the one this request comes from, lies in the ranges. Nothing is changed.',
  })
  @ApiOkResponse({ type: CheckedAddressBody })
  @ApiInvalidRequest()
  checkAddress(@CurrentMember() caller: MemberCaller, @Body() body: CheckAddressDto): CheckedAddressBody {
    const address = body.address === undefined ? caller.address : parseAddress(body.address)?.toString();
    if (address === undefined)
      throw Problem.invalid([{ param: 'address', message: 'must be an IPv4 or IPv6 address' }]);
    const ranges = normalizeRanges(body.ip_allowlist);
    return { address, ip_allowlist: ranges, passes: ranges.length === 0 || inRanges(address, ranges) };
  }

  @Get(':key_id')
  @ApiOperation({ summary: 'Read an API key', description: 'All but the key itself.' })
  @ApiParam({ name: 'key_id', format: 'uuid', example: EXAMPLE_ID.apiKey })
  @ApiOkResponse({ type: ApiKeyBody })
  async get(@CurrentMember() caller: MemberCaller, @Param('key_id') keyId: string): Promise<ApiKeyBody> {
    return this.body(await this.keys.get(caller, keyId));
  }

  @Patch(':key_id')
  @ApiOperation({
    summary: 'Rename a key or change its allowlist',
    description: 'Members that are left out stay as they are.',
  })
  @ApiParam({ name: 'key_id', format: 'uuid', example: EXAMPLE_ID.apiKey })
  @ApiOkResponse({ type: ApiKeyBody })
  @ApiInvalidRequest()
  async change(
    @CurrentMember() caller: MemberCaller,
    @Param('key_id') keyId: string,
    @Body() body: ChangeApiKeyDto,
  ): Promise<ApiKeyBody> {
    return this.body(await this.keys.change(caller, keyId, body));
  }

  @Post(':key_id/rotate')
  @ApiOperation({
    summary: 'Rotate a key',
    description:
      'Issues a successor of the same scope and allowlist; the old key works on for the grace period. As many rotated keys do at a time as the plan allows keys. The successor of a key with an end lives as long as that key was to live, counted from now, or until `expires_at`.',
  })
  @ApiParam({ name: 'key_id', format: 'uuid', example: EXAMPLE_ID.apiKey })
  @ApiCreatedResponse({ type: IssuedApiKeyBody })
  @ApiInvalidRequest()
  @ApiProblem(
    409,
    'The key is not active; or no more rotated keys may go on working, unless with `grace_period` "0".',
    ['api_key_not_active', 'plan_limit_reached'],
  )
  async rotate(
    @CurrentMember() caller: MemberCaller,
    @Param('key_id') keyId: string,
    @Body() body: RotateApiKeyDto,
  ): Promise<IssuedApiKeyBody> {
    return this.issued(await this.keys.rotate(caller, keyId, body.grace_period, body.expires_at));
  }

  @Delete(':key_id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke a key', description: 'For good, on every process within a second.' })
  @ApiParam({ name: 'key_id', format: 'uuid', example: EXAMPLE_ID.apiKey })
  @ApiNoContentResponse({ description: 'The key no longer works.' })
  revoke(@CurrentMember() caller: MemberCaller, @Param('key_id') keyId: string): Promise<void> {
    return this.keys.revoke(caller, keyId);
  }

  private issued({ key, plaintext }: IssuedApiKey): IssuedApiKeyBody {
    return { ...this.body(key), api_key: plaintext };
  }

  private body(key: ApiKeyRow): ApiKeyBody {
    const { id, name, workspace_id, unreadable: _, ...rest } = key; // its state tells
    return { id, name, workspace_id, state: keyState(key, this.clock.now()), ...rest };
  }
}
