import { formatMonth, LEVELS, MEDIAN } from '../forecasting/index.js';
import type { ForecastSpan } from './forecast-page.js';

/** Value after manual overrides of one series and step; undefined where the caller did not ask for overrides. */
export type FinalValue = (span: ForecastSpan, step: number) => number;

/**
 * Forecast rows as a JSON array. Written by hand: rows of one series differ in four numbers and a date, so the rest is
 * serialised once per series, not once per row.
 */
export function rowsAsJson(spans: readonly ForecastSpan[], final?: FinalValue): string {
  const parts: string[] = [];
  const month = monthTexts();
  for (const span of spans) {
    const { forecast } = span;
    const head = `{"unique_id":${JSON.stringify(forecast.uniqueId)},"ds":"`;
    const tail =
      `,"product_name":${JSON.stringify(forecast.productName)},"category":${JSON.stringify(forecast.category)}` +
      `,"unit":${JSON.stringify(forecast.unit)},"model":${JSON.stringify(forecast.model)},"metadata":${forecast.metadata}}`;
    for (let step = span.first; step <= span.last; step += 1) {
      const { q10, q50, q90 } = quantilesAt(span, step);
      const override = final === undefined ? '' : `,"final":${final(span, step)}`;
      parts.push(
        `${head}${month(forecast.firstMonth + step)}","q10":${q10},"q50":${q50},"q90":${q90}${override}${tail}`,
      );
    }
  }
  return `[${parts.join(',')}]`;
}

/** Forecast rows as CSV (RFC 4180, CRLF) with a header; metadata is one column of JSON. */
export function rowsAsCsv(spans: readonly ForecastSpan[], final?: FinalValue): string {
  const header = [
    'unique_id',
    'ds',
    'q10',
    'q50',
    'q90',
    ...(final ? ['final'] : []),
    'product_name',
    'category',
    'unit',
    'model',
    'metadata',
  ];
  const lines = [header.join(',')];
  const month = monthTexts();
  for (const span of spans) {
    const { forecast } = span;
    const head = quoted(forecast.uniqueId);
    const tail = [forecast.productName, forecast.category, forecast.unit, forecast.model, forecast.metadata]
      .map(quoted)
      .join(',');
    for (let step = span.first; step <= span.last; step += 1) {
      const { q10, q50, q90 } = quantilesAt(span, step);
      const override = final === undefined ? '' : `,${final(span, step)}`;
      lines.push(`${head},${month(forecast.firstMonth + step)},${q10},${q50},${q90}${override},${tail}`);
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** Texts of month numbers, each made once: the series of a run forecast the same few months. */
function monthTexts(): (month: number) => string {
  const texts = new Map<number, string>();
  return (month) => {
    let text = texts.get(month);
    if (text === undefined) texts.set(month, (text = formatMonth(month)));
    return text;
  };
}

/** The median of one step. */
export const medianAt = (span: ForecastSpan, step: number): number => quantilesAt(span, step).q50;

function quantilesAt({ forecast }: ForecastSpan, step: number): { q10: number; q50: number; q90: number } {
  const row = step * LEVELS;
  const { quantiles } = forecast;
  return { q10: quantiles[row]!, q50: quantiles[row + MEDIAN]!, q90: quantiles[row + LEVELS - 1]! };
}

function quoted(text: string | null): string {
  if (text === null) return '';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
