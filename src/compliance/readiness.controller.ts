import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentMember, type MemberCaller } from '../access/index.js';
import { OrganizationRole } from '../platform/http/access-declaration.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import { attachment, fileNameHeader } from '../platform/http/replies/attachment.js';
import { AgreementsService } from './agreements/agreements.service.js';
import { readinessBody } from './bodies.js';
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
    summary: 'Get the SOC 2 readiness',
    description:
      "Returns the phase of the platform's SOC 2 programme, the share of its controls covered by fresh evidence, and the checklist of the organization. Set the data region and retention of the checklist with `PATCH /orgs/{org_id}`.",
  })
  @ApiOkResponse({ type: ReadinessBody })
  async read(@CurrentMember() caller: MemberCaller): Promise<ReadinessBody> {
    return readinessBody(await this.readiness.read(caller.organizationId));
  }

  @Get('soc2-readiness-report')
  @ApiOperation({
    summary: 'Download the SOC 2 readiness report',
    description:
      'Returns the SOC 2 readiness as a tagged PDF for auditors. The audit log records the export with the checksum of the file.',
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
    description:
      'Returns the agreements with the version in force, and whether, when and by whom the organization accepted them.',
  })
  @ApiOkResponse({ type: [AgreementBody] })
  listAgreements(@CurrentMember() caller: MemberCaller): Promise<AgreementBody[]> {
    return this.agreements.list(caller.organizationId);
  }

  @Post('agreements')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Accept an agreement',
    description:
      'Accepts the version in force on behalf of the organization. If it was already accepted, the first acceptance stays on record.',
  })
  @ApiOkResponse({ type: AgreementBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'Another version is in force.', ['agreement_version_outdated'])
  accept(@CurrentMember() caller: MemberCaller, @Body() body: AcceptAgreementDto): Promise<AgreementBody> {
    return this.agreements.accept(caller, body.agreement, body.version);
  }
}
