import { describe, expect, it } from '@jest/globals';
import { type CheckName, parseCatalog, SOC2, type Soc2Catalog } from '../../../config/soc2.js';
import { coverageOf, stateOfCheck, statusOfControls } from './coverage.js';
import type { EvidenceStatus } from './evidence.js';
import type { LatestEvidence, Observed } from './evidence.queries.js';
import { HOUR_MS } from '../../platform/durations.js';

const NOW = new Date('2026-11-21T12:00:00Z');

const evidence = (check: CheckName, status: EvidenceStatus, hoursAgo = 1): Observed => ({
  check,
  status,
  detail: '',
  checked_at: new Date(NOW.getTime() - hoursAgo * HOUR_MS),
});
const latest = (...entries: Observed[]): LatestEvidence => new Map(entries.map((entry) => [entry.check, entry]));

/** A catalog of automated controls with these checks, and one that is not automated. */
const catalog = (...checks: CheckName[][]): Soc2Catalog => ({
  ...SOC2,
  controls: [
    ...checks.map((names, index) => ({
      id: `C-${index}`,
      criteria: ['CC6.1' as const],
      title: 'T',
      statement: 'S',
      automated: true as const,
      checks: names,
    })),
    { id: 'M', criteria: ['CC1.1' as const], title: 'T', statement: 'S', automated: false as const, instead: 'I' },
  ],
});

describe('the state of a check', () => {
  it.each([
    ['passing up to the end of its window', evidence('uptime', 'passed', 24), 'passing'],
    ['stale a moment later', evidence('uptime', 'passed', 24.001), 'stale'],
    ['failing however old the failure is', evidence('uptime', 'failed', 1_000), 'failing'],
    ['failing when the check could not run', evidence('uptime', 'error'), 'failing'],
    ['not applicable while the evidence is fresh', evidence('uptime', 'not_applicable', 24), 'not_applicable'],
    ['stale when it was not applicable too long ago', evidence('uptime', 'not_applicable', 25), 'stale'],
    ['missing when it has never run', undefined, 'missing'],
  ])('is %s', (_name, found, state) => {
    expect(stateOfCheck(found, 24, NOW)).toBe(state);
  });
});

describe('the state of a control', () => {
  const stateWith = (...entries: Observed[]) =>
    statusOfControls(latest(...entries), NOW, catalog(['uptime', 'audit_chain']))[0];

  it('is passing when all its checks pass', () => {
    expect(stateWith(evidence('uptime', 'passed', 3), evidence('audit_chain', 'passed', 2))).toMatchObject({
      state: 'passing',
      evidenceAt: new Date(NOW.getTime() - 3 * HOUR_MS),
    });
  });

  it.each([
    ['failing', [evidence('uptime', 'failed'), evidence('audit_chain', 'passed', 30)]],
    ['missing', [evidence('audit_chain', 'passed', 30)]],
    ['stale', [evidence('uptime', 'passed', 30), evidence('audit_chain', 'passed')]],
    ['passing', [evidence('uptime', 'not_applicable'), evidence('audit_chain', 'passed')]],
    ['not_applicable', [evidence('uptime', 'not_applicable'), evidence('audit_chain', 'not_applicable')]],
  ])('is %s when that is the worst of its checks', (state, entries) => {
    expect(stateWith(...entries)?.state).toBe(state);
  });
});

describe('coverage', () => {
  it('is the share of applicable controls that pass, rounded down', () => {
    const statuses = statusOfControls(
      latest(
        evidence('uptime', 'passed'),
        evidence('audit_chain', 'passed'),
        evidence('sessions_end', 'failed'),
        evidence('api_keys_rotated', 'not_applicable'),
      ),
      NOW,
      catalog(['uptime'], ['audit_chain'], ['sessions_end'], ['api_keys_rotated']),
    );
    expect(coverageOf(statuses)).toEqual({
      controls: 5,
      applicable: 3,
      percent: 66,
      passing: 2,
      failing: 1,
      stale: 0,
      missing: 0,
      not_applicable: 1,
      not_automated: 1,
    });
  });

  it('is undefined when no control is applicable', () => {
    const statuses = statusOfControls(latest(evidence('uptime', 'not_applicable')), NOW, catalog(['uptime']));
    expect(coverageOf(statuses).percent).toBeNull();
  });

  it('is zero before any check has run', () => {
    expect(coverageOf(statusOfControls(latest(), NOW))).toMatchObject({ percent: 0, passing: 0, not_applicable: 0 });
  });
});

describe('the control catalog', () => {
  const changed = (change: (catalog: Record<string, never> & typeof SOC2) => void) => () => {
    const copy = structuredClone(SOC2) as Record<string, never> & typeof SOC2;
    change(copy);
    return parseCatalog(copy);
  };

  it('is refused when a criterion has no control', () => {
    expect(changed(({ controls }) => controls.splice(0, 1))).toThrow('no control meets CC1.1');
  });

  it('is refused when a check is unknown or not used by any control', () => {
    const without = (name: CheckName) =>
      changed((copy) =>
        copy.controls.splice(
          copy.controls.findIndex((one) => one.automated && one.checks.includes(name)),
          1,
        ),
      );
    expect(without('incident_review')).toThrow('the check incident_review belongs to no control');
    expect(changed(({ controls }) => Object.assign(controls.at(13)!, { checks: ['nothing'] }))).toThrow();
  });

  it('is refused when two controls share an id', () => {
    expect(changed(({ controls }) => controls.push(controls[0]!))).toThrow('there are two controls GOV-1');
  });

  it('is refused when a check has no window or a control no evidence', () => {
    expect(changed(({ checks }) => Object.assign(checks.uptime, { fresh_hours: 0 }))).toThrow('fresh_hours');
    expect(changed(({ controls }) => Object.assign(controls.at(13)!, { checks: [] }))).toThrow('checks');
  });
});
