import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operator, OrganizationRole } from '../../platform/http/access-declaration.js';
import { CurrentMember, CurrentUser, type MemberCaller, type UserCaller } from '../guard/caller.js';
import type { ChainReport } from './audit-log.js';
import { ApiEvents, ApiVerification, AuditRoutes } from './audit-routes.js';
import { AuditEventBody, ListAuditDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit log')
@ApiExtraModels(AuditEventBody)
@OrganizationRole('admin')
@Controller('orgs/:org_id/audit-log')
export class AuditController extends AuditRoutes {
  constructor(audit: AuditService) {
    super(audit);
  }

  @Get()
  @ApiEvents('')
  list(
    @CurrentMember() caller: MemberCaller,
    @Query() query: ListAuditDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly AuditEventBody[] | string> {
    return this.sendEvents(caller, caller.organizationId, query, request, reply);
  }

  @Get('verification')
  @ApiVerification('')
  verify(@CurrentMember() caller: MemberCaller): Promise<ChainReport> {
    return this.audit.verify(caller.organizationId);
  }
}

/** For what belongs to no organization: flags, moderation, releases, the SOC 2 program, operators. */
@ApiTags('Audit log')
@Operator()
@Controller('admin/audit-log')
export class PlatformAuditController extends AuditRoutes {
  constructor(audit: AuditService) {
    super(audit);
  }

  @Get()
  @ApiEvents(' of the platform')
  list(
    @CurrentUser() user: UserCaller,
    @Query() query: ListAuditDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly AuditEventBody[] | string> {
    return this.sendEvents(user, null, query, request, reply);
  }

  @Get('verification')
  @ApiVerification(' of the platform')
  verify(): Promise<ChainReport> {
    return this.audit.verify(null);
  }
}
