import { SOC2 } from '../../../config/soc2.js';
import type { ControlBody, CoverageBody } from '../dto/controls.dto.js';
import type { ProgrammeBody } from '../dto/programme.dto.js';
import type { ChecklistBody, ChecklistItemBody, ReadinessBody } from '../dto/readiness.dto.js';
import { minute } from '../minute.js';
import type { PhaseName, PhaseStatus } from '../programme/phase.js';
import { drawCoverageChart, type Family } from './coverage-chart.js';
import type { ReportDocument } from './report-document.js';
import { type Cell, writeTable } from './table.js';
import { CHECKLIST_STATES, CONTENT_WIDTH, FAINT, PAGE, STATES } from './theme.js';

const PHASE_TITLES: Readonly<Record<PhaseName, string>> = {
  gap_assessment: 'Gap assessment',
  documentation: 'Documentation',
  type_1: 'Type I',
  monitoring: 'Monitoring',
  type_2: 'Type II',
};
const PHASE_STATUS_TITLES: Readonly<Record<PhaseStatus, string>> = {
  not_planned: 'Not planned',
  planned: 'Planned',
  in_progress: 'In progress',
  completed: 'Completed',
};

const cells = (...texts: (string | null)[]): Cell[] => texts.map((text) => ({ text: text ?? '–' }));
const times = (share: readonly number[]): number[] => share.map((part) => part * CONTENT_WIDTH);

/** Sizes to try for a name: the first one at which it fits is used. */
const NAME_SIZES = [22, 16, 12, 9, 7];
const NAME_ROOM = 170;

export function writeTitlePage(doc: ReportDocument, body: ReadinessBody, reportId: string): void {
  const { organization, programme, evidence } = body;
  doc.pdf.y = 150;
  doc.text('H1', 'SOC 2 readiness report', { font: 'bold', size: 26, gap: 26 });
  const fits = (size: number): boolean =>
    doc.height(organization.name, CONTENT_WIDTH, { font: 'bold', size }) <= NAME_ROOM;
  const size = NAME_SIZES.find(fits) ?? NAME_SIZES.at(-1)!;
  doc.text('P', organization.name, { font: 'bold', size, gap: 26 });
  const current = programme.phases.find(({ phase }) => phase === programme.current_phase);
  const phase = current
    ? `${PHASE_TITLES[current.phase]} (${PHASE_STATUS_TITLES[current.status].toLowerCase()})`
    : 'Completed';
  for (const line of [
    `Date: ${minute(body.generated_at)}`,
    `Phase of the programme: ${phase}`,
    `Controls covered by evidence: ${coverageText(evidence)}`,
    `Organization: ${organization.id}`,
  ]) {
    doc.text('P', line, { size: 11, gap: 5 });
  }
  doc.pdf.y = PAGE.height - PAGE.footer - 70;
  doc.text('P', `Report id (SHA-256 of the data in this report): ${reportId}`, { size: 8, color: FAINT, gap: 4 });
  doc.text('P', 'Made by the service about itself. It is not an opinion of an auditor; see “Method and limits”.', {
    size: 8,
    color: FAINT,
  });
  doc.pdf.addPage();
}

const coverageText = ({ coverage_percent: percent, passing, applicable }: CoverageBody): string =>
  percent === null ? 'no control is applicable' : `${percent} % (${passing} of ${applicable})`;

export function writeSummary(doc: ReportDocument, body: ReadinessBody, families: readonly Family[]): void {
  const { evidence } = body;
  doc.heading('H2', 'Summary');
  doc.text(
    'P',
    [
      evidence.coverage_percent === null
        ? `None of ${evidence.controls} controls applies here and can be told of by automated checks.`
        : `Of ${evidence.controls} controls, ${evidence.applicable} apply here and can be told of by automated checks; fresh evidence covers ${coverageText(evidence)}.`,
      `Failing: ${evidence.failing}; stale evidence: ${evidence.stale}; no evidence: ${evidence.missing}; not applicable: ${evidence.not_applicable}; shown by documents: ${evidence.not_automated}.`,
      evidence.last_round_at === null
        ? 'No round of all checks has ended yet.'
        : `The last round of all checks ended: ${minute(evidence.last_round_at)}.`,
    ].join(' '),
    { gap: 14 },
  );
  doc.heading('H3', 'Controls by family of criteria');
  drawCoverageChart(doc, families);
  writePhases(doc, body.programme);
}

function writePhases(doc: ReportDocument, programme: ProgrammeBody): void {
  doc.heading('H2', 'Programme');
  const [phase, status, planned, started, completed] = times([0.28, 0.18, 0.18, 0.18, 0.18]);
  writeTable(
    doc,
    [
      { title: 'Phase', width: phase! },
      { title: 'Status', width: status! },
      { title: 'Planned', width: planned! },
      { title: 'Started', width: started! },
      { title: 'Completed', width: completed! },
    ],
    programme.phases.map((one) =>
      cells(PHASE_TITLES[one.phase], PHASE_STATUS_TITLES[one.status], one.planned_on, one.started_on, one.completed_on),
    ),
  );
  const available = (is: boolean): string => (is ? 'available' : 'not available');
  doc.text(
    'P',
    `Report of type I: ${available(programme.type_1_report_available)}. Report of type II: ${available(programme.type_2_report_available)}.`,
    { gap: 14 },
  );
}

export function writeChecklist(doc: ReportDocument, { checklist }: ReadinessBody): void {
  doc.heading('H2', 'Checklist of the organization');
  const [item, state, detail] = times([0.28, 0.2, 0.52]);
  writeTable(
    doc,
    [
      { title: 'Item', width: item! },
      { title: 'State', width: state! },
      { title: 'Detail', width: detail! },
    ],
    checklistRows(checklist).map(([title, { state: one, detail: text }]) => {
      const { label, color } = CHECKLIST_STATES[one];
      return [{ text: title }, { text: label, mark: color }, { text }];
    }),
  );
}

const checklistRows = (list: ChecklistBody): [string, ChecklistItemBody][] => [
  [SOC2.agreements.data_processing_agreement.title, list.data_processing_agreement],
  [SOC2.agreements.privacy_notice.title, list.privacy_acceptance],
  ['Audit activity in the last 30 days', list.audit_activity],
  ['Data region', list.data_region],
  ['Retention', list.retention],
];

export function writeControls(doc: ReportDocument, families: readonly Family[]): void {
  doc.heading('H2', 'Controls by criteria');
  doc.text(
    'P',
    'A control that meets criteria of several families stands in each of them. What each one says, and what was found, follows in “Controls in detail”.',
    { gap: 10 },
  );
  const [id, title, criteria, state, evidence] = times([0.1, 0.32, 0.19, 0.18, 0.21]);
  const columns = [
    { title: 'Control', width: id! },
    { title: 'Title', width: title! },
    { title: 'Criteria', width: criteria! },
    { title: 'Status', width: state! },
    { title: 'Evidence from', width: evidence! },
  ];
  for (const family of families) {
    doc.heading('H3', `${family.name} (${family.range})`);
    writeTable(doc, columns, family.controls.map(controlRow));
  }
}

function controlRow(control: ControlBody): Cell[] {
  const { label, color } = STATES[control.state];
  return [
    { text: control.id },
    { text: control.title },
    { text: control.criteria.join(', ') },
    { text: label, mark: color },
    { text: minute(control.evidence_at) },
  ];
}

const METHOD: readonly (readonly [string, string])[] = [
  [
    'How evidence is collected',
    'Checks look at the running service several times a day and keep what they found with its time. A control passes when the latest result of each of its checks is a pass that is no older than the window of that check. A failure stands until the check passes again; a check that could not be made counts as a failure.',
  ],
  [
    'How coverage is counted',
    'Passing controls divided by the controls that checks can tell about and that apply to this installation, rounded down to a whole percent. Controls without any object here (for example key rotation where there is no key) do not apply. Controls that no check can tell of are listed and not counted.',
  ],
  [
    'What rests on statements of people',
    'The data region is stated by the organization; the service neither decides nor verifies by it where data are stored. Back-ups, restore drills, reviews, scans of dependencies and test results of releases are entered into registers by the operators, with the time, the person and, where given, the SHA-256 of what came of it. The checks see that an entry is there, recent and of a good outcome; they do not see the act itself.',
  ],
  [
    'What this report is not',
    'It is not a SOC 2 report and not the opinion of an auditor. The wording of the controls, in “Controls in detail”, is our own; the ids refer to the trust services criteria, whose text is not printed here. The report describes the platform at the date on the first page and says nothing of other times.',
  ],
  [
    'Scope',
    'The controls are those of the platform that serves the organization. Checks of what customers do themselves – second factors of their administrators, reviews of access, API keys, agreements – are made for the organization named on the first page alone, at the date of this report, and marked “This organization”; what others do has no part in them. Checks marked “Platform” are about the service, which all organizations share; of those that look over the rows of all of them only the result is told. The checklist is about the organization alone. No data of other organizations are in this report.',
  ],
];

export function writeMethod(doc: ReportDocument): void {
  doc.heading('H2', 'Method and limits');
  for (const [lead, text] of METHOD) {
    doc.heading('H3', lead);
    doc.text('P', text, { gap: 9 });
  }
}
