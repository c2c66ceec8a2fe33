import { formatMonth, type MonthNumber } from '../../../forecasting/index.js';
import { type ParameterFault, Problem } from '../../../platform/http/problem.js';
import type { ImportReportDto } from '../../dto/import.dto.js';
import type { MissingDays } from '../../read/find-missing-days.js';
import { monthOf } from '../../day-number.js';
import type { RejectedLine } from '../faults.js';
import { unitOf, type UploadFormat, type UploadReader } from '../read-upload.js';
import type { MissingMonth } from './fill-months.queries.js';

/** What is read of an upload, and when it arrived. */
export interface ReadUpload {
  readonly reader: UploadReader;
  readonly upload: { readonly now: Date };
}

/** The part of the report that only the database knows, after the merge. */
export interface MergeCounts {
  readonly seriesCreated: number;
  readonly seriesUpdated: number;
  readonly gaps: number;
  readonly seriesWithGaps: number;
  readonly missing: readonly MissingMonth[];
  readonly incompleteMonth: MonthNumber | null;
  readonly missingDays: readonly MissingDays[];
  readonly monthsFilled: number;
  /** Months that changed between a figure and days. */
  readonly replaced: { readonly byFigures: number; readonly byDays: number };
}

const NOTHING_MERGED: MergeCounts = {
  seriesCreated: 0,
  seriesUpdated: 0,
  gaps: 0,
  seriesWithGaps: 0,
  missing: [],
  incompleteMonth: null,
  missingDays: [],
  monthsFilled: 0,
  replaced: { byFigures: 0, byDays: 0 },
};

/** @param counted by the merge; 0 or none is reported of what it has not counted */
export function reportOf(reader: UploadReader, counted: Partial<MergeCounts> = {}): ImportReportDto {
  const merged = { ...NOTHING_MERGED, ...counted };
  const { counts, faults } = reader.rows;
  const dated = counts.firstDay <= counts.lastDay;
  return {
    rows: counts.rows,
    series_created: merged.seriesCreated,
    series_updated: merged.seriesUpdated,
    months: dated ? { from: formatMonth(monthOf(counts.firstDay)), to: formatMonth(monthOf(counts.lastDay)) } : null,
    gaps: merged.gaps,
    series_with_gaps: merged.seriesWithGaps,
    missing: merged.missing,
    incomplete_month: merged.incompleteMonth === null ? null : formatMonth(merged.incompleteMonth),
    missing_days: merged.missingDays,
    months_filled: merged.monthsFilled,
    days_replaced_by_month: merged.replaced.byFigures,
    month_replaced_by_days: merged.replaced.byDays,
    duplicates: counts.duplicates,
    negative_values: counts.negativeValues,
    rejected_count: faults.count,
    rejected: faults.list(),
  };
}

/** How many rejected lines `detail` names: automation platforms and spreadsheets show nothing else. `errors` has the others. */
const MAX_DESCRIBED_FAULTS = 5;

/** The upload is rejected because of its content. Nothing of it is stored. */
export class InvalidUpload extends Problem {
  constructor(
    readonly report: ImportReportDto,
    format: UploadFormat,
  ) {
    const errors = report.rejected.map((rejected) => faultOf(rejected, format));
    const unit = unitOf(format);
    const lines = report.rejected_count === 1 ? `1 ${unit} was` : `${report.rejected_count} ${unit}s were`;
    const what = report.rejected[0]?.line === 0 ? 'The upload was' : lines;
    super(400, 'invalid_data', `${what} rejected. Nothing is stored. ${describeFaults(errors)}`, {
      errors,
      members: { report },
    });
  }
}

/** The refusal of an upload for the faults found so far, or since it has no rows. */
export function refusal(reader: UploadReader): InvalidUpload {
  const { rows, format } = reader;
  if (rows.faults.count === 0) rows.faults.add(0, 'body', 'contains no rows');
  return new InvalidUpload(reportOf(reader), format);
}

function describeFaults(faults: readonly ParameterFault[]): string {
  const described = faults.slice(0, MAX_DESCRIBED_FAULTS);
  return described.map(({ param, message }) => `${param}: ${message}`).join('. ');
}

function faultOf({ line, field, reason }: RejectedLine, format: UploadFormat): ParameterFault {
  return { param: field, message: line === 0 ? reason : `${unitOf(format)} ${line}: ${reason}` };
}
