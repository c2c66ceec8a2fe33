import { type DynamicModule, Module } from '@nestjs/common';
import { AgreementsService } from './agreements/agreements.service.js';
import { AttestationsService } from './attestations/attestations.service.js';
import { ComplianceAdminController } from './compliance-admin.controller.js';
import { ChecksJob } from './evidence/checks-job.js';
import { EvidenceService } from './evidence/evidence.service.js';
import { Heartbeat } from './evidence/heartbeat.js';
import { DECLARED_SCHEMA, type DeclaredSchema, InstallationSource } from './evidence/installation-source.js';
import { ProgrammeService } from './programme/programme.service.js';
import { ReadinessController } from './readiness.controller.js';
import { ReadinessService } from './readiness/readiness.service.js';
import { ReportWriter } from './report/report-writer.js';

/** SOC 2 readiness: the programme, evidence that the service collects on itself, registers, and what customers are told. */
@Module({})
export class ComplianceModule {
  static forRole({ api, ...declared }: { readonly api: boolean } & DeclaredSchema): DynamicModule {
    return {
      module: ComplianceModule,
      controllers: api ? [ComplianceAdminController, ReadinessController] : [],
      providers: api
        ? [
            { provide: DECLARED_SCHEMA, useValue: declared },
            InstallationSource,
            ChecksJob,
            Heartbeat,
            EvidenceService,
            ProgrammeService,
            AttestationsService,
            AgreementsService,
            ReadinessService,
            ReportWriter,
          ]
        : [],
    };
  }
}
