import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicApi } from '../../../platform/http/access-declaration.js';
import { type ApiCaller, Caller } from '../../guard/caller.js';
import { WorkspaceBody } from '../organizations.dto.js';
import { WorkspacesService } from './workspaces.service.js';

/** The workspaces that a key has access to. */
@ApiTags('Series')
@PublicApi()
@Controller('api/v1/workspaces')
export class ApiWorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @ApiOperation({
    summary: 'List workspaces',
    description:
      'Returns the workspaces that the key can access, newest first: all workspaces of the organization, or the one that the key is limited to.',
  })
  @ApiOkResponse({ type: [WorkspaceBody] })
  async list(@Caller() caller: ApiCaller): Promise<WorkspaceBody[]> {
    const all = await this.workspaces.list(caller);
    return all.filter(({ id }) => caller.workspaceId === null || id === caller.workspaceId);
  }
}
