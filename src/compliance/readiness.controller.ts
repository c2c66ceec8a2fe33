import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentMember, type MemberCaller } from '../access/index.js';
import { OrganizationRole } from '../platform/http/access-declaration.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import { attachment, fileNameHeader } from '../platform/http/attachment.js';
import { AgreementsService } from './agreements/agreements.service.js';
import { agreementBody, readinessBody } from './bodies.js';
import { AcceptAgreementDto } from './dto/inputs.dto.js';
import { AgreementBody } from './dto/agreement.dto.js';
import { ReadinessBody } from './dto/readiness.dto.js';
import { ReadinessService } from './readiness/readiness.service.js';

@ApiTags('Compliance')
@OrganizationRole('admin')
@Controller('orgs/:org_id')
export class ReadinessController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly agreements: AgreementsService,
  ) {}

  @Get('soc2-readiness')
  @ApiOperation({
    summary: 'Read the SOC 2 readiness',
    description:
      "The phase of the platform's programme, the share of its controls that fresh evidence covers, and the checklist of the organization. Region and retention of the checklist are set with `PATCH /orgs/{org_id}`.",
  })
  @ApiOkResponse({ type: ReadinessBody })
  async read(@CurrentMember() caller: MemberCaller): Promise<ReadinessBody> {
    return readinessBody(await this.readiness.read(caller.organizationId));
  }

  @Get('soc2-readiness-report')
  @ApiOperation({
    summary: 'Take the SOC 2 readiness away as a PDF',
    description: 'The same for an auditor: a tagged PDF, which the audit log notes as an export with its checksum.',
  })
  @ApiOkResponse({
    headers: fileNameHeader(),
    content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
  })
  async report(
    @CurrentMember() caller: MemberCaller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { fileName, pdf } = await this.readiness.report(caller, request.method !== 'HEAD');
    void reply.type('application/pdf').header('content-disposition', attachment(fileName));
    return pdf;
  }

  @Get('agreements')
  @ApiOperation({
    summary: 'List agreements',
    description: 'The versions in force, and what of them the organization has accepted: when, and by whom.',
  })
  @ApiOkResponse({ type: [AgreementBody] })
  async listAgreements(@CurrentMember() caller: MemberCaller): Promise<AgreementBody[]> {
    return (await this.agreements.list(caller.organizationId)).map(agreementBody);
  }

  @Post('agreements')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Accept an agreement',
    description: 'For the organization, in the version in force. Accepted again, the first acceptance stays on record.',
  })
  @ApiOkResponse({ type: AgreementBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'Another version is in force; carries it as `version`.', ['agreement_version_outdated'])
  async accept(@CurrentMember() caller: MemberCaller, @Body() body: AcceptAgreementDto): Promise<AgreementBody> {
    return agreementBody(await this.agreements.accept(caller, body.agreement, body.version));
  }
}
