import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentMember, type MemberCaller } from '../access/index.js';
import { WorkspaceRole } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import { PageQueryDto } from '../platform/http/page-query.js';
import type { Page } from '../platform/http/pagination.js';
import { ApiCreatedAt } from '../platform/http/replies/created.js';
import { POLL_AFTER_SECONDS } from '../platform/http/replies/polling.js';
import { ConnectorTester } from './connector-tester.js';
import { ConnectorsService } from './connectors.service.js';
import { ConnectorDto, ConnectorTestDto, CreateConnectorDto, PatchConnectorDto } from './dto/connector.dto.js';
import { RequestSyncDto, SyncDto } from './dto/sync.dto.js';
import { SyncsService } from './sync/syncs.service.js';

@ApiTags('Connectors')
@Controller('workspaces/:workspace_id/connectors')
export class ConnectorsController {
  constructor(
    private readonly connectors: ConnectorsService,
    private readonly tester: ConnectorTester,
    private readonly connectorSyncs: SyncsService,
  ) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List connectors of a workspace',
    description: 'Returns the connectors of the workspace, newest first. Secrets are redacted.',
  })
  @Paged({ type: [ConnectorDto] })
  @ApiInvalidQuery()
  list(@CurrentMember() member: MemberCaller, @Query() query: PageQueryDto): Promise<Page<ConnectorDto>> {
    return this.connectors.list(member, query);
  }

  @Post()
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Create a connector',
    description:
      'Connects a platform: stores the credentials encrypted and starts the first sync immediately. From `counts_from` on, the demand of every series that the platform sells is computed from its orders and replaces any other demand.',
  })
  @ApiCreatedAt('connector', ConnectorDto)
  @ApiInvalidRequest()
  @ApiProblem(409, 'The workspace already has a connector for this account, or as many connectors as it can have.', [
    'connector_exists',
    'too_many_connectors',
  ])
  async create(
    @CurrentMember() member: MemberCaller,
    @Body() body: CreateConnectorDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConnectorDto> {
    const connector = await this.connectors.create(member, body);
    void reply.header('location', `/workspaces/${connector.workspace_id}/connectors/${connector.id}`);
    return connector;
  }

  @Get(':connector_id')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'Get a connector',
    description: 'Returns the settings of a connector, whether it works, and when it was last and will next be synced.',
  })
  @ApiOkResponse({ type: ConnectorDto })
  get(@CurrentMember() member: MemberCaller, @Param('connector_id') connectorId: string): Promise<ConnectorDto> {
    return this.connectors.get(member, connectorId);
  }

  @Patch(':connector_id')
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Update a connector',
    description: 'Omitted fields do not change. Changed credentials trigger a sync immediately.',
  })
  @ApiOkResponse({ type: ConnectorDto })
  @ApiInvalidRequest()
  change(
    @CurrentMember() member: MemberCaller,
    @Param('connector_id') connectorId: string,
    @Body() body: PatchConnectorDto,
  ): Promise<ConnectorDto> {
    return this.connectors.change(member, connectorId, body);
  }

  @Delete(':connector_id')
  @HttpCode(204)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Delete a connector',
    description: 'Deletes the connector with its credentials, orders and syncs. The demand that it imported is kept.',
  })
  @ApiNoContentResponse({ description: 'The connector is deleted.' })
  remove(@CurrentMember() member: MemberCaller, @Param('connector_id') connectorId: string): Promise<void> {
    return this.connectors.remove(member, connectorId);
  }

  @Post(':connector_id/test')
  @HttpCode(200)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Test a connector',
    description:
      'Tests the credentials by sending a small request to the platform. The result also sets or clears `needs_reconnect`.',
  })
  @ApiOkResponse({ type: ConnectorTestDto })
  test(@CurrentMember() member: MemberCaller, @Param('connector_id') connectorId: string): Promise<ConnectorTestDto> {
    return this.tester.test(member, connectorId);
  }

  @Post(':connector_id/sync')
  @HttpCode(202)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Start a sync',
    description:
      'Starts a sync, or returns the one that is in progress: a connector has one sync at a time. To follow its progress, list the syncs. With `full`, a new sync reads everything again, as for a new connector, and removes what the platform no longer shows.',
  })
  @ApiBody({ type: RequestSyncDto, required: false })
  @ApiAcceptedResponse({
    type: SyncDto,
    headers: { 'Retry-After': { description: 'Seconds to wait before polling.', schema: { type: 'string' } } },
  })
  @ApiInvalidRequest()
  async sync(
    @CurrentMember() member: MemberCaller,
    @Param('connector_id') connectorId: string,
    @Body() { full }: RequestSyncDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SyncDto> {
    const sync = full
      ? await this.connectorSyncs.requestFull(member, connectorId)
      : await this.connectorSyncs.request(member, connectorId);
    void reply.header('retry-after', POLL_AFTER_SECONDS);
    return sync;
  }

  @Get(':connector_id/syncs')
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List syncs of a connector',
    description: 'Returns the syncs of a connector, newest first, with their progress and errors.',
  })
  @Paged({ type: [SyncDto] })
  @ApiInvalidQuery()
  syncs(
    @CurrentMember() member: MemberCaller,
    @Param('connector_id') connectorId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<SyncDto>> {
    return this.connectorSyncs.list(member, connectorId, query);
  }
}
