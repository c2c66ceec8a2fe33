import { Body, Controller, Get, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Operator } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import type { Page } from '../../platform/http/pagination.js';
import { CurrentUser, type UserCaller } from '../guard/caller.js';
import { OrganizationBody } from '../organizations/organizations.dto.js';
import {
  FlagBody,
  ListOrganizationsDto,
  OperatedOrganizationBody,
  OperateOrganizationDto,
  SetFlagDto,
} from './admin.dto.js';
import { AdminService } from './admin.service.js';

@ApiTags('Operation')
@Operator()
@Controller('admin')
export class AdminController {
  constructor(private readonly admin: AdminService) {}

  @Get('orgs')
  @ApiOperation({
    summary: 'List organizations',
    description: 'Returns all organizations of the platform, newest first.',
  })
  @Paged({ type: [OrganizationBody] })
  @ApiInvalidRequest()
  list(@Query() query: ListOrganizationsDto): Promise<Page<OrganizationBody>> {
    return this.admin.list(query);
  }

  @Get('orgs/:org_id')
  @ApiOperation({
    summary: 'Get an organization',
    description: 'Returns the plan, suspension, allowlist, data region and retention of the organization.',
  })
  @ApiOkResponse({ type: OrganizationBody })
  @ApiProblem(404, 'The organization does not exist.', ['not_found'])
  get(@Param('org_id') organizationId: string): Promise<OrganizationBody> {
    return this.admin.get(organizationId);
  }

  @Patch('orgs/:org_id')
  @ApiOperation({
    summary: 'Update the plan or suspension',
    description:
      'Changes the plan of an organization, or suspends or resumes it. A lower plan locks the API keys that exceed its limit, keeping the most recently used ones; a higher plan unlocks them. Takes effect on every process within one second.',
  })
  @ApiOkResponse({ type: OperatedOrganizationBody })
  @ApiInvalidRequest()
  @ApiProblem(404, 'The organization does not exist.', ['not_found'])
  async operate(
    @CurrentUser() user: UserCaller,
    @Param('org_id') organizationId: string,
    @Body() body: OperateOrganizationDto,
  ): Promise<OperatedOrganizationBody> {
    const { organization, locked, unlocked } = await this.admin.operate(user, organizationId, body);
    return { ...organization, keys_locked: locked, keys_unlocked: unlocked };
  }

  @Get('flags')
  @ApiOperation({ summary: 'List flags', description: 'Returns every flag of the platform, with who set it and why.' })
  @ApiOkResponse({ type: [FlagBody] })
  listFlags(): Promise<FlagBody[]> {
    return this.admin.listFlags();
  }

  @Put('flags/:name')
  @ApiOperation({
    summary: 'Set a flag',
    description:
      'Turns a flag on or off. While `disable_public_api` is on, every call to the public API is answered with 503. Takes effect on every process within one second.',
  })
  @ApiParam({ name: 'name', description: 'Name of the flag.', example: 'disable_public_api' })
  @ApiOkResponse({ type: FlagBody })
  @ApiInvalidRequest()
  @ApiProblem(404, 'The flag does not exist.', ['not_found'])
  setFlag(@CurrentUser() user: UserCaller, @Param('name') name: string, @Body() body: SetFlagDto): Promise<FlagBody> {
    return this.admin.setFlag(user, name, body.enabled, body.reason ?? null);
  }
}
