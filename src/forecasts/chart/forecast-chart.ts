import { formatMonth, LEVELS, MEDIAN, SEASON } from '../../forecasting/index.js';
import { tickLabel, type ValueAxis, valueAxis } from './axis.js';
import { shortened } from './shortened.js';
import { circle, escapeXml, polygon, polyline, type Point } from './svg.js';

export interface ForecastChart {
  /** Name of the product, shown in the title. */
  readonly name: string;
  /** A description of the chart in words, for screen readers. */
  readonly description: string;
  /** Unit of demand; null if unknown. */
  readonly unit: string | null;
  /** Month of `history[0]`, 12 * year + month - 1. */
  readonly historyStart: number;
  /** Demand per month, NaN where missing. */
  readonly history: Float64Array;
  /** Month of the first step. */
  readonly firstMonth: number;
  /** Nine quantile levels per step, row-major. */
  readonly quantiles: Float64Array;
  /** Mean per step, drawn in addition to the medians; absent if it adds nothing to them. */
  readonly mean?: Float64Array;
}

const WIDTH = 800;
const HEIGHT = 420;
const PLOT = { left: 64, right: 776, top: 74, bottom: 352 };
/** Maximum number of months of history to draw: three years show what the forecast continues. */
const HISTORY_MONTHS = 3 * SEASON;
/** Pairs of levels that bound the bands of the fan, outermost first: q10-q90, q20-q80, q30-q70, q40-q60. */
const FAN: readonly (readonly [number, number])[] = [0, 1, 2, 3].map((level) => [level, LEVELS - 1 - level]);

/** Colors that color-blind people can distinguish, on light and on dark pages. */
const STYLE = `
  .page{fill:#fff}.ink{fill:#1f2933}.faint{fill:#52606d}.grid{stroke:#e4e7eb}.axis{stroke:#9aa5b1}
  .history{fill:none;stroke:#1f2933;stroke-width:2;stroke-linejoin:round}.point{fill:#1f2933}
  .band{fill:#0b69a3;fill-opacity:.17}.median{fill:none;stroke:#0b69a3;stroke-width:2.5;stroke-linejoin:round}.dot{fill:#0b69a3}
  .mean{fill:none;stroke:#0b69a3;stroke-width:2;stroke-dasharray:6 4}
  .begin{stroke:#9aa5b1;stroke-dasharray:4 4}
  @media (prefers-color-scheme:dark){.page{fill:#17202a}.ink,.point{fill:#f5f7fa}.faint{fill:#b8c4ce}.grid{stroke:#2d3a47}
    .history{stroke:#f5f7fa}.band{fill:#62b0e8;fill-opacity:.2}.median{stroke:#62b0e8}.dot{fill:#62b0e8}.mean{stroke:#62b0e8}}
  text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}.title{font-size:18px;font-weight:600}
  .name{unicode-bidi:plaintext}`;

/** The part of the history that is drawn. */
interface ShownHistory {
  /** Month of `values[0]`. */
  readonly start: number;
  readonly values: Float64Array;
}

/** Maps months and values to coordinates. */
interface Scale {
  /** First and last month of the time axis. */
  readonly begin: number;
  readonly end: number;
  readonly axis: ValueAxis;
  readonly x: (month: number) => number;
  readonly y: (value: number) => number;
}

/**
 * History and fan of quantiles as a self-contained SVG image (no scripts, fonts or references), with a title and a description for screen
 * readers.
 */
export function drawForecast(chart: ForecastChart): string {
  const skipped = Math.max(0, chart.history.length - HISTORY_MONTHS);
  const shown = { start: chart.historyStart + skipped, values: chart.history.subarray(skipped) };
  const scale = scaleOf(chart, shown);
  const { fan, lines } = drawFan(chart, shown, scale);
  return [
    ...drawHeading(chart),
    ...drawAxes(scale),
    ...drawBegin(chart, scale),
    ...fan,
    ...drawHistory(shown, scale),
    ...lines,
    legend(chart.mean !== undefined),
    '</svg>',
  ].join('');
}

function scaleOf(chart: ForecastChart, shown: ShownHistory): Scale {
  const begin = Math.min(shown.start, chart.firstMonth);
  const end = chart.firstMonth + chart.quantiles.length / LEVELS - 1;
  const observed = shown.values.filter((value) => Number.isFinite(value));
  const axis = valueAxis([...observed, ...chart.quantiles, ...(chart.mean ?? [])]);
  return {
    begin,
    end,
    axis,
    x: (month) => PLOT.left + ((month - begin + 0.5) / (end - begin + 1)) * (PLOT.right - PLOT.left),
    y: (value) => PLOT.bottom - ((value - axis.min) / (axis.max - axis.min)) * (PLOT.bottom - PLOT.top),
  };
}

/** A name, isolated in its own writing direction: an Arabic one would otherwise move the number after it to its other side. */
const drawName = (name: string): string => `<tspan class="name">${escapeXml(shortened(name, 47))}</tspan>`;

function drawHeading({ name, description, unit }: ForecastChart): string[] {
  const subtitle = `Monthly demand${unit === null ? '' : ` in ${shortened(unit, 40)}`}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title desc">`,
    `<title id="title">Demand forecast: ${escapeXml(name)}</title>`,
    `<desc id="desc">${escapeXml(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="ink title" x="20" y="32">Demand forecast: ${drawName(name)}</text>`,
    `<text class="faint" x="20" y="52">${escapeXml(subtitle)}</text>`,
  ];
}

function drawAxes({ axis, begin, end, x, y }: Scale): string[] {
  return [
    ...axis.ticks.map(
      (tick) =>
        `<line class="${tick === 0 ? 'axis' : 'grid'}" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/>` +
        `<text class="faint" text-anchor="end" x="${PLOT.left - 8}" y="${(y(tick) + 4.5).toFixed(1)}">${tickLabel(tick, axis)}</text>`,
    ),
    ...monthTicks(begin, end).map(
      ({ month, label }) =>
        `<line class="axis" x1="${x(month).toFixed(1)}" x2="${x(month).toFixed(1)}" y1="${PLOT.bottom}" y2="${PLOT.bottom + 5}"/>` +
        `<text class="faint" text-anchor="middle" x="${x(month).toFixed(1)}" y="${PLOT.bottom + 21}">${label}</text>`,
    ),
  ];
}

/** The line between history and forecast. */
function drawBegin({ firstMonth }: ForecastChart, { x }: Scale): string[] {
  const middle = ((x(firstMonth - 1) + x(firstMonth)) / 2).toFixed(1);
  return [`<line class="begin" x1="${middle}" x2="${middle}" y1="${PLOT.top}" y2="${PLOT.bottom}"/>`];
}

function drawHistory({ start, values }: ShownHistory, { x, y }: Scale): string[] {
  const pieces = observedPieces(values, start).map((piece) =>
    piece.map(([month, value]): Point => [x(month), y(value)]),
  );
  return [
    ...pieces.map((piece) => polyline('history', piece)),
    ...pieces.flatMap((piece) => piece.map((point) => circle('point', point))),
  ];
}

/** The bands of the forecast, and the lines drawn over them and the history. */
function drawFan(
  { firstMonth, quantiles, mean }: ForecastChart,
  { start, values }: ShownHistory,
  { x, y }: Scale,
): { readonly fan: string[]; readonly lines: string[] } {
  const points = (months: Float64Array): Point[] => Array.from(months, (value, k) => [x(firstMonth + k), y(value)]);
  const level = (j: number): Point[] => points(quantiles.filter((_, index) => index % LEVELS === j));
  // the fan opens from the last month of demand if the forecast begins in the month after it
  const last = values.at(-1);
  const adjoins = last !== undefined && start + values.length === firstMonth;
  const root: Point[] = adjoins ? [[x(firstMonth - 1), y(last)]] : [];
  const marked = (name: string, line: readonly Point[]): string[] => [
    polyline(name, [...root, ...line]),
    ...line.map((point) => circle('dot', point)),
  ];
  return {
    fan: FAN.map(([low, high]) => polygon('band', [...root, ...level(high), ...level(low).reverse()])),
    lines: [...marked('median', level(MEDIAN)), ...(mean ? marked('mean', points(mean)) : [])],
  };
}

/** Runs of consecutive observed months: a missing month interrupts the line. */
function observedPieces(history: Float64Array, start: number): (readonly [number, number])[][] {
  const pieces: (readonly [number, number])[][] = [];
  let open: (readonly [number, number])[] | undefined;
  history.forEach((value, index) => {
    if (!Number.isFinite(value)) open = undefined;
    else if (open) open.push([start + index, value]);
    else pieces.push((open = [[start + index, value]]));
  });
  return pieces;
}

/** Labels of the time axis: every January, or every third month if the axis is short. */
function monthTicks(begin: number, end: number): { month: number; label: string }[] {
  const every = end - begin < 18 ? 3 : end - begin < 30 ? 6 : SEASON;
  const months = Array.from({ length: end - begin + 1 }, (_, index) => begin + index);
  return months
    .filter((month) => month % every === 0)
    .map((month) => ({ month, label: every === SEASON ? String(month / SEASON) : formatMonth(month).slice(0, 7) }));
}

function legend(withMean: boolean): string {
  const y = HEIGHT - 20;
  const items: readonly (readonly [string, string])[] = [
    [`<line class="history" x1="0" x2="26" y1="-4" y2="-4"/>`, 'Demand'],
    [`<line class="median" x1="0" x2="26" y1="-4" y2="-4"/>`, 'Best estimate (median)'],
    [`<rect class="band" y="-11" width="26" height="14"/>`, '10 % to 90 % range'],
    ...(withMean ? [[`<line class="mean" x1="0" x2="26" y1="-4" y2="-4"/>`, 'Mean (adds up)'] as const] : []),
  ];
  const offsets = [PLOT.left, PLOT.left + 120, PLOT.left + 330, PLOT.left + 520];
  return items
    .map(
      ([mark, text], index) =>
        `<g transform="translate(${offsets[index]} ${y})">${mark}<text class="faint" x="34">${text}</text></g>`,
    )
    .join('');
}
