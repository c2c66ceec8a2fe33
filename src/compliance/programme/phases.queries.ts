import type { Queryable, Transaction } from '../../platform/database/database.js';
import { type Phase, PHASES } from './phase.js';

// The programme belongs to the platform itself: no query here names an organization.

const COLUMNS = 'phase, planned_on, started_on, completed_on, report_available';

const inOrder = (rows: readonly Phase[]): Phase[] => PHASES.map((name) => rows.find((row) => row.phase === name)!);

/** All phases, in order. */
export async function readPhases(db: Queryable): Promise<Phase[]> {
  return inOrder(await db.query(`SELECT ${COLUMNS} FROM compliance_phases`));
}

/** Locks the programme until the transaction ends, which serializes changes. */
export async function lockPhases(tx: Transaction): Promise<Phase[]> {
  return inOrder(await tx.query(`SELECT ${COLUMNS} FROM compliance_phases ORDER BY phase FOR UPDATE`));
}

export async function updatePhase(db: Queryable, phase: Phase): Promise<void> {
  await db.execute(
    `UPDATE compliance_phases SET planned_on = $2, started_on = $3, completed_on = $4, report_available = $5
     WHERE phase = $1`,
    [phase.phase, phase.planned_on, phase.started_on, phase.completed_on, phase.report_available],
  );
}
