import { type DynamicModule, Module } from '@nestjs/common';
import { type Settings } from '../../config/settings.js';
import { type Secrets } from '../platform/crypto/secrets.js';
import { SECRETS, SETTINGS } from '../platform/platform.module.js';
import { AgreementsService } from './agreements/agreements.service.js';
import { AttestationsService } from './attestations/attestations.service.js';
import { ComplianceAdminController } from './compliance-admin.controller.js';
import { ChecksJob } from './evidence/checks-job.js';
import { EvidenceService } from './evidence/evidence.service.js';
import { Heartbeat } from './evidence/heartbeat.js';
import { INSTALLATION, type Installation } from './evidence/installation.js';
import { ProgrammeService } from './programme/programme.service.js';
import { ReadinessController } from './readiness.controller.js';
import { ReadinessService } from './readiness/readiness.service.js';
import { ReportWriter } from './report/report-writer.js';

/** SOC 2 readiness: the programme, evidence that the service collects about itself, registers, and what customers are told. */
@Module({})
export class ComplianceModule {
  static forRole({
    api,
    ...declared
  }: { readonly api: boolean } & Pick<Installation, 'schema' | 'databaseUrl'>): DynamicModule {
    return {
      module: ComplianceModule,
      controllers: api ? [ComplianceAdminController, ReadinessController] : [],
      providers: api
        ? [
            {
              provide: INSTALLATION,
              inject: [SETTINGS, SECRETS],
              useFactory: (settings: Settings, secrets: Secrets): Installation => ({ settings, secrets, ...declared }),
            },
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
