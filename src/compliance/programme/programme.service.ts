import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { recordAuditByOperator, type UserCaller } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { dayOf } from '../../platform/utc-calendar.js';
import type { ChangeProgrammeDto } from '../dto/inputs.dto.js';
import { type Coverage, coverageOf, type ControlStatus, statusOfControls } from '../evidence/coverage.js';
import { latestEvidence, type LatestEvidence } from '../evidence/evidence.queries.js';
import { readRound, type Round } from '../evidence/rounds.queries.js';
import { type Phase, requireSound } from './phase.js';
import { lockPhases, readPhases, updatePhase } from './phases.queries.js';

/** The programme and the state of its controls, as judged by the checks, at one point in time. */
export interface Programme {
  readonly phases: readonly Phase[];
  readonly controls: readonly ControlStatus[];
  readonly coverage: Coverage;
  readonly latest: LatestEvidence;
  readonly round: Round;
  readonly at: Date;
}

/** The SOC 2 programme of the platform. */
@Injectable()
export class ProgrammeService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<Programme> {
    const at = this.clock.now();
    const latest = await latestEvidence(this.database);
    const controls = statusOfControls(latest, at);
    return {
      phases: await readPhases(this.database),
      controls,
      coverage: coverageOf(controls),
      latest,
      round: await readRound(this.database),
      at,
    };
  }

  /** Changes the programme; a no-op if nothing changes. @throws {Problem} 400; 409 `phase_order`, `phase_incomplete` */
  async change(operator: UserCaller, change: ChangeProgrammeDto): Promise<Programme> {
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const before = await lockPhases(tx);
      const phases = before.map((phase) => changed(phase, change));
      if (isDeepStrictEqual(phases, before)) return;
      requireSound(phases, dayOf(now));
      for (const phase of phases) await updatePhase(tx, phase);
      await recordAuditByOperator(tx, operator, {
        action: 'compliance.programme_changed',
        target: { kind: 'soc2', id: 'programme' },
        details: { ...change },
        now,
      });
    });
    return this.read();
  }
}

/** The phase after a change, of which omitted members keep their value. */
function changed(phase: Phase, change: ChangeProgrammeDto): Phase {
  const { phase: name } = phase;
  const days = change.phases?.find((wanted) => wanted.phase === name);
  const report = name === 'type_1' || name === 'type_2' ? change[`${name}_report_available`] : undefined;
  return { ...phase, ...days, report_available: report ?? phase.report_available };
}
