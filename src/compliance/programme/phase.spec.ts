import { describe, expect, it } from '@jest/globals';
import { currentPhase, type Phase, type PhaseName, PHASES, requireSound, statusOf } from './phase.js';

const TODAY = '2026-11-21';
const EMPTY = { planned_on: null, started_on: null, completed_on: null, report_available: false };

function programme(days: Partial<Record<PhaseName, Partial<Phase>>>): Phase[] {
  return PHASES.map((phase) => ({ phase, ...EMPTY, ...days[phase] }));
}
const DONE = { started_on: '2026-01-05', completed_on: '2026-02-01' };

describe('a programme', () => {
  it.each([
    ['nothing planned yet', {}],
    ['plans for later', { gap_assessment: { planned_on: '2027-01-01' }, type_1: { planned_on: '2027-06-01' } }],
    ['a phase that started today', { gap_assessment: { started_on: TODAY } }],
    [
      'a phase that starts on the day the previous one was completed',
      { gap_assessment: DONE, documentation: { started_on: '2026-02-01' } },
    ],
    ['the report of a completed phase', { gap_assessment: { ...DONE, report_available: true } }],
  ])('is valid with %s', (_name, days) => {
    expect(() => requireSound(programme(days), TODAY)).not.toThrow();
  });

  it.each([
    [
      'completed_on of gap_assessment must not be before',
      { gap_assessment: { started_on: '2026-02-01', completed_on: '2026-01-31' } },
    ],
    ['has completed_on but no started_on', { gap_assessment: { completed_on: '2026-01-31' } }],
    ['started_on of gap_assessment must not be in the future', { gap_assessment: { started_on: '2026-11-22' } }],
    [
      'planned_on of documentation must not be before',
      { gap_assessment: { planned_on: '2027-02-01' }, documentation: { planned_on: '2027-01-01' } },
    ],
    [
      'started_on of documentation must not be before 2026-02-01',
      { gap_assessment: DONE, documentation: { started_on: '2026-01-31' } },
    ],
  ])('is refused because %s …', (message, days) => {
    expect(() => requireSound(programme(days), TODAY)).toThrow(message);
  });

  it('cannot skip a phase', () => {
    const days = { gap_assessment: DONE, type_1: { started_on: '2026-03-01' } };
    expect(() => requireSound(programme(days), TODAY)).toThrow('phase_order: type_1 cannot start before documentation');
  });

  it('has no report until its phase is completed', () => {
    const days = {
      gap_assessment: DONE,
      documentation: DONE,
      type_1: { started_on: '2026-03-01', report_available: true },
    };
    expect(() =>
      requireSound(
        programme({ ...days, documentation: { started_on: '2026-02-01', completed_on: '2026-02-02' } }),
        TODAY,
      ),
    ).toThrow('phase_incomplete');
  });

  it('is in the first phase not yet completed', () => {
    expect(currentPhase(programme({}))).toBe('gap_assessment');
    expect(currentPhase(programme({ gap_assessment: DONE }))).toBe('documentation');
    expect(currentPhase(programme(Object.fromEntries(PHASES.map((phase) => [phase, DONE]))))).toBeNull();
  });

  it('derives the status of a phase from its dates', () => {
    const [phase] = programme({});
    expect(statusOf(phase!)).toBe('not_planned');
    expect(statusOf({ ...phase!, planned_on: TODAY })).toBe('planned');
    expect(statusOf({ ...phase!, planned_on: TODAY, started_on: TODAY })).toBe('in_progress');
    expect(statusOf({ ...phase!, ...DONE })).toBe('completed');
  });
});
