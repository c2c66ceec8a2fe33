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
    summary: 'Get the SOC 2 programme',
    description:
      'Returns the phases of the programme, the share of controls covered by fresh evidence, and the latest result of every check.',
  })
  @ApiOkResponse({ type: DashboardBody })
  async dashboard(): Promise<DashboardBody> {
    return dashboardBody(await this.programme.read());
  }

  @Patch('soc2')
  @ApiOperation({
    summary: 'Update the SOC 2 programme',
    description:
      'Updates phases and report flags. Fields that are omitted stay unchanged; null clears a date. A phase can start only after the previous one is completed, and a report is available only once its phase is completed. All changes in a request are validated together.',
  })
  @ApiOkResponse({ type: DashboardBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'A phase would be skipped, or a report would be available before its phase is completed.', [
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
      'Returns every control with the trust services criteria that it meets and the checks that evaluate it.',
  })
  @ApiOkResponse({ type: [ControlEvidenceBody] })
  async controls(): Promise<ControlEvidenceBody[]> {
    return controlEvidenceBodies(await this.programme.read());
  }

  @Get('evidence')
  @ApiOperation({
    summary: 'List the evidence history',
    description: 'Returns the results of checks, newest first. They are kept for 400 days.',
  })
  @Paged({ type: [EvidenceBody] })
  @ApiInvalidRequest()
  history(@Query() query: ListEvidenceDto): Promise<Page<EvidenceBody>> {
    return this.evidence.list(query);
  }

  @Post('checks')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Run checks',
    description: 'Runs all checks, or the ones listed, and returns their findings.',
  })
  @ApiBody({ type: RunChecksDto, required: false })
  @ApiOkResponse({ type: [EvidenceBody] })
  @ApiInvalidRequest()
  @ApiProblem(409, 'The checks are already running.', ['checks_running'])
  run(@CurrentUser() operator: UserCaller, @Body() body: RunChecksDto): Promise<EvidenceBody[]> {
    return this.evidence.runNow(operator, body.checks);
  }

  @Get('attestations')
  @ApiOperation({ summary: 'List attestations', description: 'Returns the entries of the registers, newest first.' })
  @Paged({ type: [AttestationBody] })
  @ApiInvalidRequest()
  listAttestations(@Query() query: ListAttestationsDto): Promise<Page<AttestationBody>> {
    return this.attestations.list(query);
  }

  @Post('attestations')
  @ApiOperation({
    summary: 'Record an attestation',
    description:
      'Records a backup, restore drill, review, scan or test result, which the service cannot observe itself. Entries cannot be changed. The next check uses the latest entry of its kind.',
  })
  @ApiCreatedResponse({ type: AttestationBody })
  @ApiInvalidRequest()
  @ApiProblem(409, 'An entry with this kind, time and reference already exists.', ['attestation_exists'])
  attest(@CurrentUser() operator: UserCaller, @Body() body: AttestDto): Promise<AttestationBody> {
    return this.attestations.record(operator, body);
  }
}
