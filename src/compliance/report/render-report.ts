import { hash } from 'node:crypto';
import type { ReadinessBody } from '../dto/readiness.dto.js';
import { familiesOf } from './coverage-chart.js';
import { ReportDocument } from './report-document.js';
import { writeControlDetails } from './control-details.js';
import { writeChecklist, writeControls, writeMethod, writeSummary, writeTitlePage } from './sections.js';

export interface RenderedReport {
  /** SHA-256 of the data in the report. */
  readonly id: string;
  readonly pdf: Buffer;
}

/** Renders the readiness of an organization as a tagged PDF. The same body yields the same bytes. */
export async function renderReport(body: ReadinessBody): Promise<RenderedReport> {
  const id = hash('sha256', JSON.stringify(body), 'hex');
  const doc = new ReportDocument('SOC 2 readiness report', new Date(body.generated_at));
  const families = familiesOf(body.controls);
  writeTitlePage(doc, body, id);
  writeSummary(doc, body, families);
  writeChecklist(doc, body);
  writeControls(doc, families);
  writeControlDetails(doc, body.controls);
  writeMethod(doc);
  return { id, pdf: await doc.finish(`SOC 2 readiness report ${id.slice(0, 16)}`) };
}
