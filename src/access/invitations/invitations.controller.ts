import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
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
    description: 'Newest first; those taken up, withdrawn or expired are left out.',
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
      'Sends the link, valid for 7 days, to the address; where no e-mail is configured the reply carries it to hand over. A former open invitation to the address is withdrawn. Open invitations count as members of the plan.',
  })
  @ApiCreatedResponse({ type: IssuedInvitationBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The address is a member already, or the plan allows no more.', [
    'already_member',
    'plan_limit_reached',
  ])
  @ApiProblem(429, 'The address was invited too often; see Retry-After.', ['too_many_attempts'])
  create(@CurrentMember() caller: MemberCaller, @Body() body: CreateInvitationDto): Promise<IssuedInvitationBody> {
    return this.invitations.create(caller, body);
  }

  @Delete('orgs/:org_id/invitations/:invitation_id')
  @HttpCode(204)
  @OrganizationRole('admin')
  @ApiOperation({ summary: 'Withdraw an invitation', description: 'Its link no longer works.' })
  @ApiParam({ name: 'invitation_id', format: 'uuid' })
  @ApiNoContentResponse({ description: 'The invitation is withdrawn.' })
  revoke(@CurrentMember() caller: MemberCaller, @Param('invitation_id') invitationId: string): Promise<void> {
    return this.invitations.revoke(caller, invitationId);
  }

  @Post('auth/invitations/accept')
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary: 'Take up an invitation',
    description:
      'Makes an account with this name and password, or, where the address has one, adds the membership to it; the password must then be the right one.',
  })
  @ApiOkResponse({ type: AcceptedInvitationBody })
  @ApiInvalidRequest()
  @ApiProblem(401, 'The address has an account, and the password is not its.', ['credentials_invalid'])
  @ApiProblem(404, 'There is no such open invitation.', ['not_found'])
  @ApiProblem(409, 'The plan allows no more members; the invitation stays open.', ['plan_limit_reached'])
  @ApiProblem(429, 'Too many failures; see Retry-After.', ['too_many_attempts'])
  accept(@Body() body: AcceptInvitationDto, @CallerAddress() address: string): Promise<AcceptedInvitationBody> {
    return this.acceptance.accept({ ...body, address });
  }
}
