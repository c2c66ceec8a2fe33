import type { ReadinessCheckBody, ReadinessControlBody } from '../dto/controls.dto.js';
import { minute } from '../minute.js';
import type { ReportDocument } from './report-document.js';
import { type Cell, columnsOf, heightOf, writeTable } from './table.js';
import { CONTENT_WIDTH, FAINT, PAGE, STATES } from './theme.js';

const COLUMNS = columnsOf({ Requirement: 0.37, Scope: 0.14, Result: 0.15, 'Findings and time': 0.34 });
const SCOPES = { organization: 'This organization', platform: 'Platform' } as const;
/** In points: a control that fits on one page is not split. */
const ROOM = PAGE.height - PAGE.margin - PAGE.footer;
/** Height in points of a heading with one line and the space below it, before the statement. */
const LEAD = 45;

/** Each control once, in the order of the catalog: its statement, its evidence and the findings. */
export function writeControlDetails(doc: ReportDocument, controls: readonly ReadinessControlBody[]): void {
  doc.heading('H2', 'Controls in detail');
  doc.text('P', 'A control passes if all of its checks below have passed and their results are fresh.', { gap: 10 });
  for (const control of controls) writeControl(doc, control);
}

function writeControl(doc: ReportDocument, control: ReadinessControlBody): void {
  const rows = control.checks.map(checkRow);
  const shown =
    control.instead === null ? undefined : `No check can evaluate this control. Auditors are shown: ${control.instead}`;
  const texts = [control.statement, ...(shown === undefined ? [] : [shown])];
  const height = texts.reduce((sum, text) => sum + doc.height(text, CONTENT_WIDTH, {}) + 6, LEAD);
  const heightWith = (checks: typeof rows): number => height + (rows.length === 0 ? 0 : heightOf(doc, COLUMNS, checks));
  const whole = heightWith(rows);
  doc.need(whole <= ROOM ? whole : heightWith(rows.slice(0, 1)));
  doc.text('H3', `${control.id}  ${control.title}`, { font: 'bold', size: 10.5, gap: 2 });
  const state = STATES[control.state].label;
  doc.text('P', `${state} · meets ${control.criteria.join(', ')}`, { size: 8, color: FAINT, gap: 4 });
  doc.text('P', control.statement, { gap: 6 });
  if (shown !== undefined) doc.text('P', shown, { gap: 14 });
  if (rows.length > 0) writeTable(doc, COLUMNS, rows);
}

function checkRow(check: ReadinessCheckBody): Cell[] {
  const { label, color } = STATES[check.state];
  return [{ text: check.asks }, { text: SCOPES[check.scope] }, { text: label, mark: color }, { text: foundBy(check) }];
}

function foundBy({ detail, checked_at: at }: ReadinessCheckBody): string {
  if (at === null) return 'Never checked.';
  return detail === null ? minute(at) : `${detail} ${minute(at)}`;
}
