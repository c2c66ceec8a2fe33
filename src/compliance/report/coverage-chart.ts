import { CRITERIA_FAMILIES } from '../../../config/soc2.js';
import type { ControlBody } from '../dto/controls.dto.js';
import { CONTROL_STATES, type ControlState } from '../evidence/coverage.js';
import type { ReportDocument } from './report-document.js';
import { CONTENT_WIDTH, FAINT, INK, PAGE, STATES } from './theme.js';

const ROW = 16;
const BAR = 9;
const LABELS = 172;
const NUMBERS = 52;
const LEGEND = 30;

/** A family of criteria, with the controls that meet any of them. */
export interface Family {
  readonly name: string;
  /** The range of criteria ids: `CC6.1–CC6.8`. */
  readonly range: string;
  readonly controls: readonly ControlBody[];
}

export function familiesOf(controls: readonly ControlBody[]): Family[] {
  return CRITERIA_FAMILIES.map(({ name, ids }) => ({
    name,
    range: ids.length === 1 ? ids[0]! : `${ids[0]}–${ids.at(-1)}`,
    controls: controls.filter(({ criteria }) => criteria.some((id) => ids.includes(id))),
  }));
}

const numberIn = (controls: readonly ControlBody[], state: ControlState): number =>
  controls.filter((control) => control.state === state).length;

/** Draws a bar for each family, whose length is its number of controls, divided by their states. */
export function drawCoverageChart(doc: ReportDocument, families: readonly Family[]): void {
  const { pdf } = doc;
  doc.need(LEGEND + ROW * families.length);
  const top = pdf.y;
  const longest = Math.max(...families.map((family) => family.controls.length));
  const unit = (CONTENT_WIDTH - LABELS - NUMBERS) / longest;
  const draw = (): void => {
    drawLegend(doc, top);
    families.forEach((family, index) => drawFamily(doc, family, top + LEGEND + index * ROW, unit));
  };
  const alt = `Bar chart of controls by family. ${families.map(describe).join(' ')}`;
  const bbox = [PAGE.margin, top, PAGE.margin + CONTENT_WIDTH, top + LEGEND + ROW * families.length];
  const options = { alt, bbox, placement: 'Block' }; // missing from the type definitions
  doc.root.add(pdf.struct('Figure', options, draw));
  pdf.x = PAGE.margin;
  pdf.y = top + LEGEND + ROW * families.length + 12;
}

function describe({ name, controls }: Family): string {
  const parts = CONTROL_STATES.flatMap((state) => {
    const number = numberIn(controls, state);
    return number === 0 ? [] : [`${number} ${STATES[state].label.toLowerCase()}`];
  });
  return `${name}: ${parts.join(', ')}.`;
}

function drawLegend(doc: ReportDocument, top: number): void {
  let left = PAGE.margin;
  for (const state of CONTROL_STATES) {
    const { label, color } = STATES[state];
    doc.pdf.rect(left, top + 2, 8, 8).fill(color);
    doc.use({ size: 7.5, color: FAINT });
    doc.pdf.text(label, left + 11, top + 1, { lineBreak: false });
    left += 11 + doc.pdf.widthOfString(label) + 12;
  }
  writeNumber(doc, 'Passing', top + 15);
}

/** Writes the number next to its bar. */
function writeNumber(doc: ReportDocument, text: string, top: number): void {
  const left = PAGE.margin + CONTENT_WIDTH - NUMBERS;
  doc.pdf.text(text, left, top, { width: NUMBERS, align: 'right', lineBreak: false });
}

function drawFamily(doc: ReportDocument, { name, controls }: Family, top: number, unit: number): void {
  const { pdf } = doc;
  doc.use({ size: 8, color: INK });
  pdf.text(name, PAGE.margin, top, { width: LABELS - 8, lineBreak: false });
  let left = PAGE.margin + LABELS;
  for (const state of CONTROL_STATES) {
    const width = unit * numberIn(controls, state);
    if (width > 0) pdf.rect(left, top, width, BAR).fill(STATES[state].color);
    left += width;
  }
  doc.use({ size: 8, color: FAINT });
  writeNumber(doc, `${numberIn(controls, 'passing')} of ${controls.length}`, top);
}
