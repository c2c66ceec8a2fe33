import { Body, Controller, Delete, Get, HttpCode, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentMember, type MemberCaller, tenantOf } from '../../access/index.js';
import { WorkspaceRole } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest } from '../../platform/http/api-problem.js';
import type { Page } from '../../platform/http/pagination.js';
import { ListOverridesDto, OverrideEntryDto, OverrideKeyDto, PutOverrideDto } from '../dto/override.dto.js';
import { OverridesService } from './overrides.service.js';

@ApiTags('Overrides')
@Controller('workspaces/:workspace_id/overrides')
export class OverridesController {
  constructor(private readonly overrides: OverridesService) {}

  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({
    summary: 'List overrides',
    description: 'Returns active overrides, or with `history=true` all overrides that ever existed; newest first.',
  })
  @Paged({ type: [OverrideEntryDto] })
  @ApiInvalidQuery()
  list(@CurrentMember() member: MemberCaller, @Query() query: ListOverridesDto): Promise<Page<OverrideEntryDto>> {
    return this.overrides.list(tenantOf(member), query);
  }

  @Put()
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Override a forecast month',
    description:
      'Sets `final` of a series and month in every run that forecasts it. The quantiles of the model do not change. Replaces the active override, if there is one.',
  })
  @ApiOkResponse({ type: OverrideEntryDto })
  @ApiInvalidRequest()
  async put(@CurrentMember() member: MemberCaller, @Body() body: PutOverrideDto): Promise<OverrideEntryDto> {
    return this.overrides.put(member, body);
  }

  @Delete()
  @HttpCode(204)
  @WorkspaceRole('member')
  @ApiOperation({
    summary: 'Remove an override',
    description: 'The override stays in the history, which also records who removed it.',
  })
  @ApiNoContentResponse({ description: 'The override is removed.' })
  @ApiInvalidQuery()
  async remove(@CurrentMember() member: MemberCaller, @Query() query: OverrideKeyDto): Promise<void> {
    await this.overrides.remove(member, query);
  }
}
