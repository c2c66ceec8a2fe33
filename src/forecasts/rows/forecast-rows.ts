import { formatMonth } from '../../forecasting/index.js';
import { csvField } from '../../platform/csv.js';
import type { ForecastSpan } from '../forecast-page.js';
import type { DescribedForecast } from '../forecasts.queries.js';
import { TextBuffer } from './text-buffer.js';

/** Value of one series and step after manual overrides; undefined if the caller did not request overrides. */
export type FinalValue = (span: ForecastSpan, step: number) => number;

/** Format of rows: the text `before` the first one, `between` two, and around month and numbers within a row. */
interface RowFormat {
  readonly open: string;
  readonly before: string;
  readonly between: string;
  readonly close: string;
  readonly head: (forecast: DescribedForecast) => string;
  readonly q10: string;
  readonly q50: string;
  readonly q90: string;
  readonly final: string;
  readonly description: (forecast: DescribedForecast) => string;
  readonly mean: string;
  readonly end: string;
}

const JSON_FORMAT: RowFormat = {
  open: '[',
  before: '',
  between: ',',
  close: ']',
  head: ({ uniqueId }) => `{"unique_id":${JSON.stringify(uniqueId)},"ds":"`,
  q10: '","q10":',
  q50: ',"q50":',
  q90: ',"q90":',
  final: ',"final":',
  description: (forecast) =>
    `,"product_name":${JSON.stringify(forecast.productName)},"category":${JSON.stringify(forecast.category)}` +
    `,"unit":${JSON.stringify(forecast.unit)},"model":${JSON.stringify(forecast.model)},"metadata":${forecast.metadata}`,
  mean: ',"mean":',
  end: '}',
};

// the mean is last because it was added last: clients may read columns by position
const csvFormat = (withFinal: boolean): RowFormat => ({
  open: `unique_id,ds,q10,q50,q90,${withFinal ? 'final,' : ''}product_name,category,unit,model,metadata,mean`,
  before: '\r\n',
  between: '\r\n',
  close: '\r\n',
  head: ({ uniqueId }) => `${csvField(uniqueId)},`,
  q10: ',',
  q50: ',',
  q90: ',',
  final: ',',
  description: ({ productName, category, unit, model, metadata }) =>
    `,${[productName, category, unit, model, metadata].map((text) => csvField(text ?? '')).join(',')}`,
  mean: ',',
  end: '',
});

/** Forecast rows as a JSON array, in UTF-8. */
export function rowsAsJson(spans: readonly ForecastSpan[], final?: FinalValue): Buffer {
  return writeRows(spans, JSON_FORMAT, final);
}

/** Forecast rows as CSV (RFC 4180, CRLF) with a header, in UTF-8; metadata is one column of JSON. */
export function rowsAsCsv(spans: readonly ForecastSpan[], final?: FinalValue): Buffer {
  return writeRows(spans, csvFormat(final !== undefined), final);
}

/** q10, q50 and q90 of a step. */
const BANDS = 3;
/** Typical size of a row's month and numbers, in bytes. */
const NUMBERS_LENGTH = 80;
/** Maximum number of bytes reserved up front: the first series may be a thousand times as long as the others. */
const MAX_RESERVE_BYTES = 4_194_304;

/** Rows of one series differ only in month and numbers; the text in between is the same for all and is written as one piece. */
function writeRows(spans: readonly ForecastSpan[], format: RowFormat, final?: FinalValue): Buffer {
  const parts = { q50: Buffer.from(format.q50), q90: Buffer.from(format.q90), final: Buffer.from(format.final) };
  const months = new Map<number, Buffer>(); // few: the series of a run forecast the same months
  const monthAndNext = (month: number): Buffer => {
    let text = months.get(month);
    if (!text) months.set(month, (text = Buffer.from(formatMonth(month) + format.q10)));
    return text;
  };
  const out = new TextBuffer(expectedLength(spans, format));
  out.write(Buffer.from(format.open));
  let separator = format.before;
  for (const span of spans) {
    const { forecast, first, last } = span;
    const { bands, mean } = forecast;
    const head = format.head(forecast);
    const afterNumbers = Buffer.from(format.description(forecast) + format.mean);
    const betweenRows = Buffer.from(format.end + format.between + head);
    out.write(Buffer.from(separator + head));
    for (let step = first; step <= last; step += 1) {
      if (step > first) out.write(betweenRows);
      const row = step * BANDS;
      out.write(monthAndNext(forecast.firstMonth + step));
      out.writeNumber(bands[row]!);
      out.write(parts.q50);
      out.writeNumber(bands[row + 1]!);
      out.write(parts.q90);
      out.writeNumber(bands[row + 2]!);
      if (final !== undefined) {
        out.write(parts.final);
        out.writeNumber(final(span, step));
      }
      out.write(afterNumbers);
      out.writeNumber(mean[step]!);
    }
    separator = format.end + format.between;
  }
  if (spans.length > 0) out.write(Buffer.from(format.end));
  out.write(Buffer.from(format.close));
  return out.finish();
}

function expectedLength(spans: readonly ForecastSpan[], format: RowFormat): number {
  const [span] = spans;
  if (!span) return 0;
  const rows = spans.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const row = format.head(span.forecast).length + format.description(span.forecast).length + NUMBERS_LENGTH;
  return Math.min(MAX_RESERVE_BYTES, Math.ceil(1.05 * rows * row));
}

/** The median of one step. */
export const medianAt = ({ forecast }: ForecastSpan, step: number): number => forecast.bands[step * BANDS + 1]!;
