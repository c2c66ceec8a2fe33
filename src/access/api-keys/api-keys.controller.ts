import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { OrganizationRole } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { PageQueryDto } from '../../platform/http/page-query.js';
import { mapPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { ApiCreatedAt } from '../../platform/http/replies/created.js';
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
import type { IssuedApiKey } from './issue/issue-api-key.js';
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
    description:
      'Returns the API keys of the organization, newest first, including revoked and expired ones. The keys themselves are not stored.',
  })
  @Paged({ type: [ApiKeyBody] })
  @ApiInvalidQuery()
  async list(@CurrentMember() caller: MemberCaller, @Query() query: PageQueryDto): Promise<Page<ApiKeyBody>> {
    return mapPage(await this.keys.list(caller, query), (key) => this.body(key));
  }

  @Post()
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'Creates an API key and returns it, which is the only time that the key is shown. The plan limits how many live keys an organization can have.',
  })
  @ApiCreatedAt('API key', IssuedApiKeyBody)
  @ApiInvalidRequest()
  @ApiProblem(409, 'The limit of the plan is reached.', ['plan_limit_reached'])
  async create(
    @CurrentMember() caller: MemberCaller,
    @Body() body: CreateApiKeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IssuedApiKeyBody> {
    return this.issued(reply, caller, await this.keys.create(caller, body));
  }

  @Post('check-address')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Check an address against an allowlist',
    description:
      'Reports whether the given address, or the one this request comes from, lies within the ranges. Does not change anything.',
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
  @ApiOperation({ summary: 'Get an API key', description: 'Returns an API key without the key itself.' })
  @ApiOkResponse({ type: ApiKeyBody })
  async get(@CurrentMember() caller: MemberCaller, @Param('key_id') keyId: string): Promise<ApiKeyBody> {
    return this.body(await this.keys.get(caller, keyId));
  }

  @Patch(':key_id')
  @ApiOperation({
    summary: 'Update an API key',
    description: 'Changes the name or the allowlist. Fields that are omitted stay unchanged.',
  })
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
    summary: 'Rotate an API key',
    description:
      'Issues a successor with the same scope and allowlist. The old key keeps working for the grace period; the number of rotated keys in a grace period is limited to the number of API keys that the plan allows. If the old key has an expiry, the successor gets the same lifetime, counted from now, unless `expires_at` is given.',
  })
  @ApiCreatedAt('successor', IssuedApiKeyBody)
  @ApiInvalidRequest()
  @ApiProblem(
    409,
    'The key is not active, or too many rotated keys are in a grace period, in which case `grace_period` must be "0".',
    ['api_key_not_active', 'plan_limit_reached'],
  )
  async rotate(
    @CurrentMember() caller: MemberCaller,
    @Param('key_id') keyId: string,
    @Body() body: RotateApiKeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IssuedApiKeyBody> {
    return this.issued(reply, caller, await this.keys.rotate(caller, keyId, body.grace_period, body.expires_at));
  }

  @Delete(':key_id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Revoke an API key',
    description: 'Revokes the key permanently. Takes effect on every process within one second.',
  })
  @ApiNoContentResponse({ description: 'The key was revoked.' })
  revoke(@CurrentMember() caller: MemberCaller, @Param('key_id') keyId: string): Promise<void> {
    return this.keys.revoke(caller, keyId);
  }

  private issued(reply: FastifyReply, caller: MemberCaller, { key, plaintext }: IssuedApiKey): IssuedApiKeyBody {
    void reply.header('location', `/orgs/${caller.organizationId}/api-keys/${key.id}`);
    return { ...this.body(key), api_key: plaintext };
  }

  private body(key: ApiKeyRow): ApiKeyBody {
    const { id, name, workspace_id, unreadable: _, ...rest } = key; // reflected in its state
    return { id, name, workspace_id, state: keyState(key, this.clock.now()), ...rest };
  }
}
