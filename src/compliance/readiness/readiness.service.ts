import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CHECK_NAMES, SOC2 } from '../../../config/soc2.js';
import { type MemberCaller, recordAuditBy } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { DAY_MS, earlier } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import { HEAVY_REQUESTS, Slots } from '../../platform/work/slots.js';
import { dayOf } from '../../platform/utc-calendar.js';
import { AgreementsService } from '../agreements/agreements.service.js';
import { coverageOf, statusOfControls } from '../evidence/coverage.js';
import { INSTALLATION, type Installation } from '../evidence/installation.js';
import { executeCheck } from '../evidence/run-checks.js';
import { type Programme, ProgrammeService } from '../programme/programme.service.js';
import { ReportWriter } from '../report/report-writer.js';
import { readinessBody } from '../bodies.js';
import type { Readiness } from './readiness.js';
import { readOrganizationFacts } from './readiness.queries.js';

/** Days within which an organization's audit log should show activity. */
const ACTIVITY_DAYS = 30;

export interface Report {
  readonly id: string;
  readonly fileName: string;
  readonly pdf: Buffer;
}

/** The SOC 2 readiness of an organization: its own checklist and the state of the platform's controls. */
@Injectable()
export class ReadinessService {
  private readonly slots = new Slots('SOC 2 readiness reports', HEAVY_REQUESTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly programme: ProgrammeService,
    private readonly agreements: AgreementsService,
    private readonly writer: ReportWriter,
    @Inject(INSTALLATION) private readonly installation: Installation,
  ) {}

  async read(organizationId: string): Promise<Readiness> {
    const since = earlier(this.clock.now(), ACTIVITY_DAYS * DAY_MS);
    const organization = await readOrganizationFacts(this.database, organizationId, since);
    if (!organization) throw Problem.notFound('organization');
    return {
      organization,
      agreements: await this.agreements.list(organizationId),
      programme: await this.judged(await this.programme.read(), organizationId),
    };
  }

  /** The state of the controls for one organization: what others do or neglect does not affect it. */
  private async judged(programme: Programme, organizationId: string): Promise<Programme> {
    const context = { ...this.installation, db: this.database, now: programme.at, organizationId };
    const latest = new Map(programme.latest);
    for (const name of CHECK_NAMES) {
      if (SOC2.checks[name].about === 'organization') latest.set(name, await executeCheck(name, context));
    }
    const controls = statusOfControls(latest, programme.at);
    return { ...programme, latest, controls, coverage: coverageOf(controls) };
  }

  /**
   * The same as a PDF. When it is downloaded, the audit log records by whom, and the checksum that identifies the file.
   * @param taken false if only the headers are requested
   * @throws {Problem} 429 or 503 if too many are requested at once
   */
  report(caller: MemberCaller, taken: boolean): Promise<Report> {
    return this.slots.run({ organizationId: caller.organizationId }, () => this.written(caller, taken));
  }

  private async written(caller: MemberCaller, taken: boolean): Promise<Report> {
    const readiness = await this.read(caller.organizationId);
    const { id, pdf } = await this.writer.write(readinessBody(readiness));
    const report = { id, fileName: `soc2-readiness-${dayOf(readiness.programme.at)}.pdf`, pdf };
    if (!taken) return report;
    await this.database.transaction((tx) =>
      recordAuditBy(tx, caller, {
        action: 'soc2_report.exported',
        target: { kind: 'organization', id: caller.organizationId },
        details: { report_id: id, sha256: hash('sha256', pdf, 'hex') },
        now: this.clock.now(),
      }),
    );
    return report;
  }
}
