import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type MemberCaller, recordAuditBy } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { DAY_MS } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import { AgreementsService } from '../agreements/agreements.service.js';
import { ProgrammeService } from '../programme/programme.service.js';
import { ReportWriter } from '../report/report-writer.js';
import { readinessBody } from '../bodies.js';
import type { Readiness } from './readiness.js';
import { readOrganizationFacts } from './readiness.queries.js';

/** Days in which an organization's audit log should show life. */
const ACTIVITY_DAYS = 30;

export interface Report {
  readonly id: string;
  readonly fileName: string;
  readonly pdf: Buffer;
}

/** What an organization is told of SOC 2: its own checklist beside the state of the platform's controls. */
@Injectable()
export class ReadinessService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly programme: ProgrammeService,
    private readonly agreements: AgreementsService,
    private readonly writer: ReportWriter,
  ) {}

  async read(organizationId: string): Promise<Readiness> {
    const since = new Date(this.clock.now().getTime() - ACTIVITY_DAYS * DAY_MS);
    const organization = await readOrganizationFacts(this.database, organizationId, since);
    if (!organization) throw Problem.notFound('organization');
    return {
      organization,
      agreements: await this.agreements.list(organizationId),
      programme: await this.programme.read(),
    };
  }

  /** The same as a PDF; the audit log notes who took it away, and the checksum by which the file is known again. */
  async report(caller: MemberCaller): Promise<Report> {
    const readiness = await this.read(caller.organizationId);
    const { id, pdf } = await this.writer.write(readinessBody(readiness));
    const day = readiness.programme.at.toISOString().slice(0, 10);
    await this.database.transaction((tx) =>
      recordAuditBy(tx, caller, {
        action: 'soc2_report.exported',
        target: { kind: 'organization', id: caller.organizationId },
        details: { report_id: id, sha256: createHash('sha256').update(pdf).digest('hex') },
        occurredAt: this.clock.now(),
      }),
    );
    return { id, fileName: `soc2-readiness-${day}.pdf`, pdf };
  }
}
