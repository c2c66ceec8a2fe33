import { formatMonth, type MonthNumber } from '../../forecasting/index.js';
import { type ParameterFault, Problem } from '../../platform/http/problem.js';
import { formatMonthOf } from './demand-day.js';
import type { RejectedLine } from './faults.js';
import type { MissingMonth } from './fill-months.queries.js';
import { unitOf, type UploadFormat, type UploadReader } from './read-upload.js';

/** The data-quality report of an upload, in the form in which it is sent and stored. */
export interface ImportReport {
  readonly rows: number;
  readonly series_created: number;
  /** Existing series that received demand. */
  readonly series_updated: number;
  /** First and last month with demand in the upload. */
  readonly months: { readonly from: string; readonly to: string } | null;
  /** Months without a value inside the histories of the upload's series, after the merge. */
  readonly gaps: number;
  readonly series_with_gaps: number;
  /** The first {@link LISTED_FAULTS} of the gaps; absent from reports of 0.8.0 and earlier. */
  readonly missing?: readonly MissingMonth[];
  /** The upload's last month, `YYYY-MM-01`, if its last days are still to be uploaded; absent from reports of 0.19.0 and earlier. */
  readonly incomplete_month?: string | null;
  /** Missing months stored as zero because of `fill=zero`. */
  readonly months_filled: number;
  /** Months stored by days whose days were replaced by a figure. */
  readonly days_replaced_by_month: number;
  /** Months stored as a figure that was replaced by days. */
  readonly month_replaced_by_days: number;
  /** Rows for a series and day that another row of the upload also gives; a single one rejects the upload. */
  readonly duplicates: number;
  /** Negative rows: kept, as they may be returns. */
  readonly negative_values: number;
  readonly rejected_count: number;
  /** The first {@link LISTED_FAULTS}. */
  readonly rejected: readonly RejectedLine[];
}

/** The part of the report that only the database knows, after the merge. */
export interface MergeCounts {
  readonly seriesCreated: number;
  readonly seriesUpdated: number;
  readonly gaps: number;
  readonly seriesWithGaps: number;
  readonly missing: readonly MissingMonth[];
  readonly incompleteMonth: MonthNumber | null;
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
  monthsFilled: 0,
  replaced: { byFigures: 0, byDays: 0 },
};

export function reportOf(reader: UploadReader, merged: MergeCounts = NOTHING_MERGED): ImportReport {
  const { counts, faults } = reader.rows;
  const dated = counts.firstDay <= counts.lastDay;
  return {
    rows: counts.rows,
    series_created: merged.seriesCreated,
    series_updated: merged.seriesUpdated,
    months: dated ? { from: formatMonthOf(counts.firstDay), to: formatMonthOf(counts.lastDay) } : null,
    gaps: merged.gaps,
    series_with_gaps: merged.seriesWithGaps,
    missing: merged.missing,
    incomplete_month: merged.incompleteMonth === null ? null : formatMonth(merged.incompleteMonth),
    months_filled: merged.monthsFilled,
    days_replaced_by_month: merged.replaced.byFigures,
    month_replaced_by_days: merged.replaced.byDays,
    duplicates: counts.duplicates,
    negative_values: counts.negativeValues,
    rejected_count: faults.count,
    rejected: faults.list(),
  };
}

/** The upload is rejected because of its content. Nothing of it is stored. */
export class InvalidUpload extends Problem {
  constructor(
    readonly report: ImportReport,
    format: UploadFormat,
  ) {
    const errors = report.rejected.map((rejected) => faultOf(rejected, format));
    const [first] = errors;
    const unit = unitOf(format);
    const lines = report.rejected_count === 1 ? `1 ${unit} was` : `${report.rejected_count} ${unit}s were`;
    super(
      400,
      'invalid_data',
      `${lines} rejected. Nothing is stored. ${first ? `${first.param}: ${first.message}` : ''}`,
      {
        errors,
        members: { report },
      },
    );
  }
}

function faultOf({ line, field, reason }: RejectedLine, format: UploadFormat): ParameterFault {
  return { param: field, message: `${unitOf(format)} ${line}: ${reason}` };
}
