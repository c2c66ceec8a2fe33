import { describe, expect, it } from '@jest/globals';
import { SOC2 } from '../../config/soc2.js';
import type { ReadinessBody } from '../../src/compliance/dto/replies.js';
import { PHASES } from '../../src/compliance/programme/phase.js';
import { renderReport } from '../../src/compliance/report/render-report.js';
import { nodesOf, readPdf } from '../support/pdf.js';

const AT = new Date('2026-11-21T06:00:00.000Z');
const agreed = {
  complete: true,
  version: 'v1',
  accepted_version: 'v1',
  accepted_at: AT,
  accepted_by: 'ada@example.com',
};
const DAYS = { planned_on: null, started_on: null, completed_on: null };

const readiness = (overrides: Partial<ReadinessBody> = {}): ReadinessBody => ({
  organization: { id: '019a8f3c-0000-7000-8000-000000000001', name: 'Acme' },
  generated_at: AT,
  programme: {
    current_phase: 'type_1',
    phases: PHASES.map((phase) => ({
      phase,
      status: 'not_planned',
      ...DAYS,
    })),
    type_1_report_available: false,
    type_2_report_available: false,
  },
  evidence: {
    coverage_percent: 57,
    controls: 46,
    applicable: 28,
    passing: 16,
    failing: 4,
    stale: 1,
    missing: 7,
    not_applicable: 2,
    not_automated: 16,
    last_round_at: AT,
  },
  checklist: {
    data_processing_agreement: agreed,
    privacy_acceptance: { ...agreed, complete: false, version: 'v2' },
    audit_activity: { complete: true, events_last_30_days: 5, last_event_at: AT },
    data_region: { complete: false, region: null },
    retention: { complete: true, months: 12 },
  },
  controls: SOC2.controls.map(({ id, criteria, title, automated }) => ({
    id,
    criteria,
    title,
    state: automated ? 'passing' : 'not_automated',
    evidence_at: automated ? AT : null,
  })),
  ...overrides,
});
const render = async (overrides: Partial<ReadinessBody> = {}) =>
  readPdf((await renderReport(readiness(overrides))).pdf);
const named = (name: string) => render({ organization: { id: 'x', name } });

describe('the readiness report', () => {
  it('is the same file for the same data, and another for other data', async () => {
    const [one, same, other] = await Promise.all([
      renderReport(readiness()),
      renderReport(readiness()),
      renderReport(readiness({ organization: { id: 'x', name: 'Other' } })),
    ]);
    expect(one.pdf.equals(same.pdf)).toBe(true);
    expect(one.id).toBe(same.id);
    expect(other.id).not.toBe(one.id);
  });

  it('is a tagged document with a language, a title and embedded fonts', async () => {
    const { catalogue, info, embedded, root } = await render();
    expect(info.get('Title')).toBe('SOC 2 readiness report');
    expect(info.get('CreationDate')).toBe('D:20261121060000Z');
    expect(catalogue.get('Lang')).toBe('en');
    expect(embedded).toBe(true);
    expect(root.tag).toBe('Document');
    expect(nodesOf(root, 'H2').map(({ text }) => text)).toEqual([
      'Summary',
      'Programme',
      'Checklist of the organization',
      'Controls',
      'Method and limits',
    ]);
  });

  it('says what it is not', async () => {
    expect((await render()).pages.join(' ')).toContain('not a SOC 2 report and not the opinion of an auditor');
  });

  it('tells its chart in words to those who cannot see it', async () => {
    const [figure, ...more] = nodesOf((await render()).root, 'Figure');
    expect(more).toEqual([]);
    expect(figure!.alt).toContain('Control environment: 4 not automated.');
    expect(figure!.alt).toMatch(/Availability: 3 passing\./);
  });

  it('numbers its pages and names itself on each', async () => {
    const { artifacts } = await render();
    expect(artifacts.length).toBeGreaterThan(3);
    artifacts.forEach((text, index) => {
      expect(text).toContain(`Page ${index + 1} of ${artifacts.length}`);
      expect(text).toMatch(/SOC 2 readiness report [0-9a-f]{16}/);
    });
  });

  it('repeats the header of a table on every page, and tells it once', async () => {
    const [control] = readiness().controls;
    const many = Array.from({ length: 120 }, (_, index) => ({ ...control!, id: `LONG-${index}` }));
    const { root, pages, artifacts } = await render({ controls: many });
    const table = nodesOf(root, 'Table')[2]!;
    expect(nodesOf(table, 'TR')).toHaveLength(121);
    expect(nodesOf(table, 'TH').map(({ text, scope }) => [text, scope])).toEqual(
      ['Control', 'Title', 'Criteria', 'Status', 'Evidence from'].map((text) => [text, 'Column']),
    );
    const across = pages.flatMap((text, index) => (text.includes('LONG-') ? [index] : []));
    expect(across.length).toBeGreaterThan(2);
    for (const index of across.slice(1))
      expect(artifacts[index]).toContain('Control Title Criteria Status Evidence from');
  });

  it('tells one month and one event in the singular', async () => {
    const { checklist } = readiness();
    const { root } = await render({
      checklist: {
        ...checklist,
        audit_activity: { ...checklist.audit_activity, events_last_30_days: 1 },
        retention: { complete: true, months: 1 },
      },
    });
    const told = nodesOf(root, 'TD').map(({ text }) => text);
    expect(told).toContain('Results are kept for 1 month.');
    expect(told).toContainEqual(expect.stringMatching(/^1 event, sign-ins and sign-outs left out;/));
  });

  it('writes what the font lacks as code points, and keeps the text itself for readers that speak', async () => {
    const { root } = await named('株式会社 Ελλάς Україна');
    const [name] = nodesOf(root, 'P');
    expect(name!.text).toBe('[U+682A U+5F0F U+4F1A U+793E] Ελλάς Україна');
    expect(name!.actual).toBe('株式会社 Ελλάς Україна');
  });

  it.each([
    ['of many words', 'A name that goes on '.repeat(10)],
    ['of one word', 'W'.repeat(200)],
    ['in a script the font lacks', '社'.repeat(200)],
  ])('keeps a name %s on the title page', async (_kind, name) => {
    const plain = await render();
    const long = await named(name);
    expect(long.pages).toHaveLength(plain.pages.length);
    expect(long.pages[0]).toContain('Report id');
    expect(long.pages[1]).toContain('Summary');
  });

  it('says of the present phase how far it is', async () => {
    const { programme } = readiness();
    const begun = programme.phases.map((one) =>
      one.phase === 'type_1' ? { ...one, status: 'in_progress' as const } : one,
    );
    const phaseOf = async (phases: typeof begun) =>
      /Phase of the programme: (.*) Controls covered/.exec(
        (await render({ programme: { ...programme, phases } })).pages[0]!,
      )?.[1];
    expect(await phaseOf(programme.phases)).toBe('Type I (not planned)');
    expect(await phaseOf(begun)).toBe('Type I (in progress)');
  });

  it('does without any applicable control', async () => {
    const evidence = { ...readiness().evidence, coverage_percent: null, applicable: 0, last_round_at: null };
    const { pages } = await render({ evidence, programme: { ...readiness().programme, current_phase: null } });
    expect(pages[0]).toContain('Controls covered by evidence: no control is applicable');
    expect(pages[0]).toContain('Phase of the programme: Completed');
  });
});
