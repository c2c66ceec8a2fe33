import { type Control, SOC2, type Soc2Catalog } from '../../../config/soc2.js';
import { HOUR_MS, later } from '../../platform/durations.js';
import type { LatestEvidence, Observed } from './evidence.queries.js';

/** State of a check, from its latest evidence at a given time. */
export const CHECK_STATES = ['passing', 'failing', 'stale', 'missing', 'not_applicable'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

export const CONTROL_STATES = [...CHECK_STATES, 'not_automated'] as const;
export type ControlState = (typeof CONTROL_STATES)[number];

export interface ControlStatus {
  readonly control: Control;
  readonly state: ControlState;
  /** Oldest time among the latest evidence of its checks; null if there is none, or if the control is not automated. */
  readonly evidenceAt: Date | null;
}

/** Number of controls in each state, and the share that evidence covers. */
export interface Coverage extends Readonly<Record<ControlState, number>> {
  readonly controls: number;
  /** Automated controls that apply here. */
  readonly applicable: number;
  /** Passing ÷ applicable, in percent, rounded down; null if none is applicable. */
  readonly percent: number | null;
}

/** Until when a pass counts. */
export const freshUntil = (evidence: Observed, freshHours: number): Date =>
  later(evidence.checked_at, freshHours * HOUR_MS);

/**
 * A failure stands until a later check passes, however old it is; a pass counts until the end of its freshness window. An error is a
 * failure.
 */
export function stateOfCheck(evidence: Observed | undefined, freshHours: number, now: Date): CheckState {
  if (evidence === undefined) return 'missing';
  if (evidence.status === 'failed' || evidence.status === 'error') return 'failing';
  if (now > freshUntil(evidence, freshHours)) return 'stale';
  return evidence.status === 'passed' ? 'passing' : 'not_applicable';
}

/** A control has the worst state of its checks, in this order; checks that do not apply are ignored if others do. */
const WORST: readonly CheckState[] = ['failing', 'missing', 'stale', 'passing', 'not_applicable'];

export function statusOfControls(latest: LatestEvidence, now: Date, catalog: Soc2Catalog = SOC2): ControlStatus[] {
  return catalog.controls.map((control) => {
    if (!control.automated) return { control, state: 'not_automated', evidenceAt: null };
    const states = control.checks.map((name) => stateOfCheck(latest.get(name), catalog.checks[name].fresh_hours, now));
    const times = control.checks.flatMap((name) => latest.get(name)?.checked_at.getTime() ?? []);
    return {
      control,
      state: WORST.find((state) => states.includes(state))!,
      evidenceAt: times.length === 0 ? null : new Date(Math.min(...times)),
    };
  });
}

export function coverageOf(statuses: readonly ControlStatus[]): Coverage {
  const number = (state: ControlState): number => statuses.filter((status) => status.state === state).length;
  const counts = Object.fromEntries(CONTROL_STATES.map((state) => [state, number(state)])) as Record<
    ControlState,
    number
  >;
  const applicable = statuses.length - counts.not_automated - counts.not_applicable;
  return {
    ...counts,
    controls: statuses.length,
    applicable,
    percent: applicable === 0 ? null : Math.floor((100 * counts.passing) / applicable),
  };
}
