import { Body, Controller, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type UserCaller } from '../access/index.js';
import { Operator } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { AttestationsService } from './attestations/attestations.service.js';
import { controlEvidenceBodies, dashboardBody } from './bodies.js';
import { AttestDto, ChangeProgrammeDto, ListAttestationsDto, ListEvidenceDto, RunChecksDto } from './dto/inputs.dto.js';
import { ControlEvidenceBody } from './dto/controls.dto.js';
import { DashboardBody } from './dto/programme.dto.js';
import { AttestationBody, EvidenceBody } from './dto/registers.dto.js';
import { EvidenceService } from './evidence/evidence.service.js';
import { ProgrammeService } from './programme/programme.service.js';

@ApiTags('Compliance')
@Operator()
@Controller('admin/compliance')
export class ComplianceAdminController {
  constructor(
    private readonly programme: ProgrammeService,
    private readonly evidence: EvidenceService,
    private readonly attestations: AttestationsService,
  ) {}

  @Get('soc2')
  @ApiOperation({
    summary: 'Read the SOC 2 programme',
    description: 'Its phases, how much of the controls fresh evidence covers, and the latest result of every check.',
  })
  @ApiOkResponse({ type: DashboardBody })
  async dashboard(): Promise<DashboardBody> {
    return dashboardBody(await this.programme.read());
  }

  @Patch('soc2')
  @ApiOperation({
    summary: 'Change phases and report flags',
    description:
      'What is left out stays; null takes a day back. A phase begins after the one before it is completed, and a report is available once its phase is completed. All changes of a request are judged together.',
  })
  @ApiOkResponse({ type: DashboardBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'A phase would be skipped, or a report be there before its phase is completed.', [
    'phase_order',
    'phase_incomplete',
  ])
  async change(@CurrentUser() operator: UserCaller, @Body() body: ChangeProgrammeDto): Promise<DashboardBody> {
    return dashboardBody(await this.programme.change(operator, body));
  }

  @Get('controls')
  @ApiOperation({
    summary: 'List controls with their evidence',
    description:
      'The catalogue with the trust services criteria that each control meets, and the checks that judge it.',
  })
  @ApiOkResponse({ type: [ControlEvidenceBody] })
  async controls(): Promise<ControlEvidenceBody[]> {
    return controlEvidenceBodies(await this.programme.read());
  }

  @Get('evidence')
  @ApiOperation({ summary: 'Read the history of evidence', description: 'Newest first, kept for 400 days.' })
  @Paged({ type: [EvidenceBody] })
  @ApiInvalidRequest()
  history(@Query() query: ListEvidenceDto): Promise<Page<EvidenceBody>> {
    return this.evidence.list(query);
  }

  @Post('checks')
  @HttpCode(200)
  @ApiOperation({ summary: 'Run checks now', description: 'All of them, or those named; answers what each found.' })
  @ApiBody({ type: RunChecksDto, required: false })
  @ApiOkResponse({ type: [EvidenceBody] })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The checks are being run already.', ['checks_running'])
  run(@CurrentUser() operator: UserCaller, @Body() body: RunChecksDto): Promise<EvidenceBody[]> {
    return this.evidence.runNow(operator, body.checks);
  }

  @Get('attestations')
  @ApiOperation({ summary: 'Read the registers', description: 'What people put on record, newest first.' })
  @Paged({ type: [AttestationBody] })
  @ApiInvalidRequest()
  listAttestations(@Query() query: ListAttestationsDto): Promise<Page<AttestationBody>> {
    return this.attestations.list(query);
  }

  @Post('attestations')
  @ApiOperation({
    summary: 'Put an act on record',
    description:
      'A back-up, restore drill, review, scan or test result, which the service cannot see for itself. Entries stay as they were made; the next check takes the latest of its kind into account.',
  })
  @ApiCreatedResponse({ type: AttestationBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'There is an entry of that kind, time and reference.', ['attestation_exists'])
  attest(@CurrentUser() operator: UserCaller, @Body() body: AttestDto): Promise<AttestationBody> {
    return this.attestations.record(operator, {
      kind: body.kind,
      performed_at: body.performed_at,
      performed_by: body.performed_by,
      outcome: body.outcome ?? 'passed',
      reference: body.reference ?? null,
      note: body.note ?? null,
      artefact_sha256: body.artefact_sha256 ?? null,
    });
  }
}
