import { describe, expect, it } from '@jest/globals';
import { askedOf, SOC2 } from '../../config/soc2.js';
import { controlBody } from '../../src/compliance/bodies.js';
import type { ReadinessBody } from '../../src/compliance/dto/readiness.dto.js';
import { PHASES } from '../../src/compliance/programme/phase.js';
import { renderReport } from '../../src/compliance/report/render-report.js';
import { nodesOf, readPdf } from '../support/pages/pdf.js';

const AT = new Date('2026-11-21T06:00:00.000Z');
const agreed = {
  complete: true,
  state: 'done' as const,
  detail: 'Version v1 accepted by ada@example.com.',
  url: 'https://example.com/terms',
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
    privacy_acceptance: { ...agreed, state: 'no_text', detail: 'No text is published.', url: null },
    audit_activity: { complete: true, state: 'done', detail: '5 events.', events_last_30_days: 5, last_event_at: AT },
    data_region: { complete: true, state: 'stated', detail: 'EU, as stated.', region: 'eu' },
    retention: { complete: false, state: 'open', detail: 'No retention is set.', months: null },
  },
  controls: SOC2.controls.map((control) => ({
    ...controlBody({
      control,
      state: control.automated ? 'passing' : 'not_automated',
      evidenceAt: control.automated ? AT : null,
    }),
    checks: control.automated
      ? control.checks.map((check) => ({
          check,
          title: SOC2.checks[check].title,
          asks: askedOf(check, 'one'),
          scope: 'platform' as const,
          state: 'passing' as const,
          detail: `what ${check} found`,
          checked_at: AT,
        }))
      : [],
  })),
  ...overrides,
});
const rendered = async (overrides: Partial<ReadinessBody> = {}) =>
  readPdf((await renderReport(readiness(overrides))).pdf);
let usual: ReturnType<typeof rendered> | undefined;
/** Without overrides the same report for all tests. */
const render = (overrides?: Partial<ReadinessBody>) => (overrides ? rendered(overrides) : (usual ??= rendered()));
const named = (name: string) => render({ organization: { id: 'x', name } });

describe('the readiness report', () => {
  it('is identical for the same data and differs for other data', async () => {
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
    const { catalog, info, embedded, root } = await render();
    expect(info.get('Title')).toBe('SOC 2 readiness report');
    expect(info.get('CreationDate')).toBe('D:20261121060000Z');
    expect(catalog.get('Lang')).toBe('en');
    expect(embedded).toBe(true);
    expect(root.tag).toBe('Document');
    expect(nodesOf(root, 'H2').map(({ text }) => text)).toEqual([
      'Summary',
      'Programme',
      'Organization checklist',
      'Controls by criteria',
      'Controls in detail',
      'Method and limits',
    ]);
  });

  it('states what it is not', async () => {
    expect((await render()).pages.join(' ')).toContain('not a SOC 2 report and not the opinion of an auditor');
  });

  it('describes its chart in words for screen readers', async () => {
    const [figure, ...more] = nodesOf((await render()).root, 'Figure');
    expect(more).toEqual([]);
    expect(figure!.alt).toContain('Control environment: 4 not automated.');
    expect(figure!.alt).toMatch(/Availability: 3 passing\./);
    expect(figure!.text).toContain('Passing');
  });

  it('has its title and a page number on each page', async () => {
    const { artifacts } = await render();
    expect(artifacts.length).toBeGreaterThan(3);
    artifacts.forEach((text, index) => {
      expect(text).toContain(`Page ${index + 1} of ${artifacts.length}`);
      expect(text).toMatch(/SOC 2 readiness report [0-9a-f]{16}/);
    });
  });

  it('repeats table headers on every page, but tags them once', async () => {
    const [control] = readiness().controls;
    const many = Array.from({ length: 120 }, (_, index) => ({ ...control!, id: `LONG-${index}` }));
    const { root, pages, artifacts } = await render({ controls: many });
    const table = nodesOf(root, 'Table')[2]!;
    expect(nodesOf(table, 'TR')).toHaveLength(121);
    expect(nodesOf(table, 'TH').map(({ text, scope }) => [text, scope])).toEqual(
      ['Control', 'Title', 'Criteria', 'Status', 'Evidence from'].map((text) => [text, 'Column']),
    );
    const detailed = pages.findIndex((text) => text.includes('A control passes if'));
    const across = pages.flatMap((text, index) => (text.includes('LONG-') && index < detailed ? [index] : []));
    expect(across.length).toBeGreaterThan(2);
    for (const index of across.slice(1))
      expect(artifacts[index]).toContain('Control Title Criteria Status Evidence from');
  });

  it('prints what each control requires, and its evidence: conditions with thresholds, or documents', async () => {
    const { root, pages } = await render();
    const flat = pages.join(' ').replaceAll(/\s+/g, ' ');
    const isPrinted = (text: string): boolean => flat.replaceAll(' ', '').includes(text.replaceAll(' ', ''));
    for (const control of SOC2.controls) {
      expect([control.id, isPrinted(control.statement)]).toEqual([control.id, true]);
      if (!control.automated)
        expect([control.id, isPrinted(`are shown: ${control.instead}`)]).toEqual([control.id, true]);
    }
    const cells = nodesOf(root, 'TD').map(({ text }) => text);
    expect(cells).toContain('The latest entry in the register of backups passed and is no older than 2 days.');
    expect(cells).toContain('what backup_recent found 2026-11-21 06:00 UTC');
    expect(cells).not.toContainEqual(expect.stringMatching(/[{}]/));
  });

  it('explains why a control fails, and whether the organization or the platform was judged', async () => {
    const control = readiness().controls.find(({ id }) => id === 'COM-3')!;
    const [check] = control.checks;
    const failing = { ...check!, state: 'failing' as const, scope: 'organization' as const, detail: 'One is missing.' };
    const { root } = await render({ controls: [{ ...control, state: 'failing', checks: [failing] }] });
    const rows = nodesOf(root, 'TR').map((row) => row.children.map(({ text }) => text));
    expect(rows).toContainEqual([failing.asks, 'This organization', 'Failing', 'One is missing. 2026-11-21 06:00 UTC']);
  });

  it('does not mark as done what was only stated, or accepted without a text', async () => {
    const { root } = await render();
    const rows = nodesOf(nodesOf(root, 'Table')[1]!, 'TR').map((row) => row.children.map(({ text }) => text));
    expect(rows.slice(1).map(([title, state]) => [title, state])).toEqual([
      ['Data processing agreement', 'Done'],
      ['Privacy notice', 'Accepted; no text published'],
      ['Audit activity in the last 30 days', 'Done'],
      ['Data region', 'Stated, not verified'],
      ['Retention', 'Open'],
    ]);
    expect(rows.map((row) => row[2])).toContain('EU, as stated.');
  });

  it('keeps the heading of a control on the page where its content begins', async () => {
    const { controls } = readiness();
    const pages = (await render()).pages.map((page) => page.replaceAll(/\s+/g, ''));
    const bare = (text: string): string => text.replaceAll(' ', '');
    for (const { id, title, state, checks, instead } of controls) {
      const heading = bare(`${id}${title}${state === 'passing' ? 'Passing' : 'Not automated'}·meets`);
      const page = pages.find((text) => text.includes(heading));
      expect([id, page?.includes(bare(checks[0]?.asks ?? instead!))]).toEqual([id, true]);
    }
  });

  it('keeps the heading of a chapter on the page where its content begins, wherever the previous chapter ends', async () => {
    const [first, ...others] = readiness().controls;
    for (let words = 0; words < 400; words += 20) {
      const controls = [{ ...first!, statement: `It is so. ${'and so on '.repeat(words)}` }, ...others.slice(0, 3)];
      const pages = (await render({ controls })).pages.map((page) => page.replaceAll(/\s+/g, ''));
      const chapter = pages.findLast((page) => page.includes('Methodandlimits'));
      expect([words, chapter?.includes('MethodandlimitsHowevidenceiscollected')]).toEqual([words, true]);
    }
  });

  it('prints characters missing from the font as code points, and keeps the original text for screen readers', async () => {
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
    expect(long.pages[0]).toContain('Report ID');
    expect(long.pages[1]).toContain('Summary');
  });

  it('shows the progress of the current phase', async () => {
    const { programme } = readiness();
    const begun = programme.phases.map((one) =>
      one.phase === 'type_1' ? { ...one, status: 'in_progress' as const } : one,
    );
    const phaseOf = async (phases: typeof begun) =>
      /Programme phase: (.*) Controls covered/.exec(
        (await render({ programme: { ...programme, phases } })).pages[0]!,
      )?.[1];
    expect(await phaseOf(programme.phases)).toBe('Type I (not planned)');
    expect(await phaseOf(begun)).toBe('Type I (in progress)');
  });

  it('works without any applicable control or any round of checks', async () => {
    const evidence = { ...readiness().evidence, coverage_percent: null, applicable: 0, last_round_at: null };
    const { pages } = await render({ evidence, programme: { ...readiness().programme, current_phase: null } });
    expect(pages[0]).toContain('Controls covered by evidence: no control is applicable');
    expect(pages[0]).toContain('Programme phase: Completed');
    const summary = pages[1]!.replaceAll(/\s+/g, ' ');
    expect(summary).toContain('None of the 46 controls applies here and can be evaluated by automated checks.');
    expect(summary).toContain('No round of all checks has finished yet.');
  });
});
