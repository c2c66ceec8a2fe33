import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrganizationRole, Public } from '../../platform/http/access-declaration.js';
import { Paged } from '../../platform/http/api-page.js';
import { ApiInvalidQuery, ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { LongPageQueryDto } from '../../platform/http/page-query.js';
import type { Page } from '../../platform/http/pagination.js';
import { CallerAddress, CurrentMember, type MemberCaller } from '../guard/caller.js';
import { InvitationAcceptance } from './invitation-acceptance.js';
import {
  AcceptedInvitationBody,
  AcceptInvitationDto,
  CreateInvitationDto,
  InvitationBody,
  IssuedInvitationBody,
} from './invitations.dto.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('Organizations')
@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: InvitationAcceptance,
  ) {}

  @Get('orgs/:org_id/invitations')
  @OrganizationRole('admin')
  @ApiOperation({
    summary: 'List open invitations',
    description: 'Returns open invitations, newest first. Accepted, revoked and expired invitations are excluded.',
  })
  @Paged({ type: [InvitationBody] })
  @ApiInvalidQuery()
  list(@CurrentMember() caller: MemberCaller, @Query() query: LongPageQueryDto): Promise<Page<InvitationBody>> {
    return this.invitations.list(caller, query);
  }

  @Post('orgs/:org_id/invitations')
  @OrganizationRole('admin')
  @ApiOperation({
    summary: 'Invite a person',
    description:
      'Sends an invitation link, valid for 7 days, to the address. If email is not configured, the response contains the link for you to pass on. An earlier open invitation to the same address is revoked. Open invitations count toward the member limit of the plan.',
  })
  @ApiCreatedResponse({ type: IssuedInvitationBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The address already belongs to a member, or the limit of the plan is reached.', [
    'already_member',
    'plan_limit_reached',
  ])
  @ApiProblem(429, 'Too many invitations to this address, or sent by the organization in a row; see Retry-After.', [
    'too_many_attempts',
  ])
  create(@CurrentMember() caller: MemberCaller, @Body() body: CreateInvitationDto): Promise<IssuedInvitationBody> {
    return this.invitations.create(caller, body);
  }

  @Delete('orgs/:org_id/invitations/:invitation_id')
  @HttpCode(204)
  @OrganizationRole('admin')
  @ApiOperation({ summary: 'Revoke an invitation', description: 'Revokes the invitation; its link stops working.' })
  @ApiNoContentResponse({ description: 'The invitation was revoked.' })
  revoke(@CurrentMember() caller: MemberCaller, @Param('invitation_id') invitationId: string): Promise<void> {
    return this.invitations.revoke(caller, invitationId);
  }

  @Post('auth/invitations/accept')
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary: 'Accept an invitation',
    description:
      'Creates an account with this name and password and adds it to the organization. If the address already has an account, the membership is added to that account, and its password is required.',
  })
  @ApiOkResponse({ type: AcceptedInvitationBody })
  @ApiInvalidRequest()
  @ApiProblem(401, 'The address already has an account, and the password is wrong.', ['credentials_invalid'])
  @ApiProblem(404, 'The open invitation does not exist.', ['not_found'])
  @ApiProblem(409, 'The member limit of the plan is reached; the invitation stays open.', ['plan_limit_reached'])
  @ApiProblem(429, 'Too many failed attempts; see Retry-After.', ['too_many_attempts'])
  accept(@Body() body: AcceptInvitationDto, @CallerAddress() address: string): Promise<AcceptedInvitationBody> {
    return this.acceptance.accept({ ...body, address });
  }
}
