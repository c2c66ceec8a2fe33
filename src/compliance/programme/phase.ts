import { Problem } from '../../platform/http/problem.js';

/** Phases of the programme, in chronological order. */
export const PHASES = ['gap_assessment', 'documentation', 'type_1', 'monitoring', 'type_2'] as const;
export type PhaseName = (typeof PHASES)[number];

export const PHASE_STATUSES = ['not_planned', 'planned', 'in_progress', 'completed'] as const;
export type PhaseStatus = (typeof PHASE_STATUSES)[number];

/** Days are text, `YYYY-MM-DD`. */
export interface Phase {
  readonly phase: PhaseName;
  readonly planned_on: string | null;
  readonly started_on: string | null;
  readonly completed_on: string | null;
  /** Whether the auditor's report is available. */
  readonly report_available: boolean;
}

export function statusOf(phase: Phase): PhaseStatus {
  if (phase.completed_on !== null) return 'completed';
  if (phase.started_on !== null) return 'in_progress';
  return phase.planned_on === null ? 'not_planned' : 'planned';
}

/** The phase in progress, otherwise the next one; null if all are completed. */
export function currentPhase(phases: readonly Phase[]): PhaseName | null {
  return phases.find((phase) => phase.completed_on === null)?.phase ?? null;
}

/**
 * Validates a whole programme. Days are compared as text, which preserves their order.
 * @param phases all five, in order
 * @param today `YYYY-MM-DD`
 * @throws {Problem} 400 naming `phases` if days are out of order or in the future; 409 `phase_order` if a phase begins before the previous
 * one is completed; 409 `phase_incomplete` if a report is claimed to be available too early
 */
export function requireSound(phases: readonly Phase[], today: string): void {
  const faults = phases.flatMap((phase, index) => dayFaults(phase, phases[index - 1], today));
  if (faults.length > 0) throw Problem.invalid(faults.map((message) => ({ param: 'phases', message })));
  phases.forEach((phase, index) => {
    const former = phases[index - 1];
    if (phase.started_on !== null && former && former.completed_on === null) {
      throw new Problem(409, 'phase_order', `${phase.phase} cannot start before ${former.phase} is completed.`);
    }
    if (phase.report_available && phase.completed_on === null) {
      throw new Problem(
        409,
        'phase_incomplete',
        `The report of ${phase.phase} cannot be available before the phase is completed.`,
      );
    }
  });
}

function dayFaults(phase: Phase, former: Phase | undefined, today: string): string[] {
  const { phase: name, planned_on, started_on, completed_on } = phase;
  const faults: string[] = [];
  if (completed_on !== null && started_on === null) faults.push(`${name} has completed_on but no started_on`);
  if (completed_on !== null && started_on !== null && completed_on < started_on) {
    faults.push(`completed_on of ${name} must not be before its started_on ${started_on}`);
  }
  for (const [field, day] of Object.entries({ started_on, completed_on })) {
    if (day !== null && day > today) faults.push(`${field} of ${name} must not be in the future`);
  }
  if (former && planned_on !== null && former.planned_on !== null && planned_on < former.planned_on) {
    faults.push(`planned_on of ${name} must not be before ${former.planned_on}, when ${former.phase} is planned`);
  }
  if (former && started_on !== null && former.completed_on !== null && started_on < former.completed_on) {
    faults.push(`started_on of ${name} must not be before ${former.completed_on}, when ${former.phase} was completed`);
  }
  return faults;
}
