import { meanAbsolute } from '../../src/forecasting/missing.js';
import { encodeWindow, type WindowScale } from '../../src/forecasting/network/features.js';
import { INPUT_MONTHS, INPUTS, OUTPUT_MONTHS } from '../../src/forecasting/network/shape.js';
import { clamp } from '../../src/numeric/clamp.js';
import { type Random } from '../random.js';
import { SERIES_MONTHS } from '../synthetic/index.js';
import { removeSeason } from './deseasonalize.js';
import { type Domain, MIN_HISTORY } from './domains.js';

/** How training windows are varied. */
export interface SamplingSettings {
  /** Share of the windows of a mixable domain that are averaged with another. */
  readonly mixing: number;
  /** Share of the partners that are synthetic; the others come from the same domain. */
  readonly syntheticPartners: number;
  /** Share of the histories that are shortened to a random length. */
  readonly shortening: number;
  /** Share of the real windows that get a random growth. */
  readonly tilting: number;
  /** Share of all windows whose season is taken out, as it is before the network sees an adjusted history. */
  readonly deseasonalizing: number;
}

/** What {@link BatchSampler.fill} writes for `weights.length` rows. */
export interface BatchRows {
  readonly inputs: Float32Array;
  /** OUTPUT_MONTHS a row in the row's scaled units, NaN where unknown. */
  readonly targets: Float32Array;
  readonly weights: Float32Array;
}

/** Mean absolute value that both parts of a mixture are brought to. Windows are scaled afterwards: any will do. */
const MIXED_LEVEL = 1000;
/** Scaled targets are clipped here, so that one outlier does not rule the loss. */
const TARGET_LIMIT = 12;
/** Standard deviation of the growth a year by which windows are tilted, in logarithms. */
const ANNUAL_GROWTH = 0.08;
/** Windows of fewer observed months have no weight. */
const MIN_OBSERVED = 8;
/** Bounds of the weight of a window: the loss counts errors in units of the seasonal naive's, as MASE does. */
const MIN_WEIGHT = 0.1;
const MAX_WEIGHT = 4;

/** Draws training rows: windows of the bundled sets, mixtures of two windows, and synthetic series. */
export class BatchSampler {
  readonly #window = new Float64Array(SERIES_MONTHS);
  /** The part of the window that the network sees. */
  readonly #history = this.#window.subarray(0, INPUT_MONTHS);
  readonly #partner = new Float64Array(SERIES_MONTHS);
  readonly #scale: WindowScale = { center: 0, spread: 1, seasonalChange: 1 };

  constructor(
    private readonly domains: readonly Domain[],
    private readonly pool: Float32Array,
    private readonly settings: SamplingSettings,
  ) {}

  /** @param bySeries draw series uniformly (every series counts the same) instead of windows (long series count more). */
  fill(random: Random, rows: BatchRows, bySeries: boolean): void {
    for (let row = 0; row < rows.weights.length; row++) {
      const domain = this.#drawDomain(random);
      if (domain === undefined) this.#drawSynthetic(random, this.#window);
      else this.#drawReal(random, domain, bySeries);
      if (random.chance(this.settings.shortening))
        this.#window.fill(Number.NaN, 0, INPUT_MONTHS - random.integer(MIN_HISTORY, INPUT_MONTHS + 1));
      if (random.chance(this.settings.deseasonalizing)) removeSeason(this.#window, INPUT_MONTHS);
      this.#writeRow(rows, row);
    }
  }

  #drawDomain(random: Random): Domain | undefined {
    let u = random.uniform();
    for (const domain of this.domains) {
      if (u < domain.share) return domain;
      u -= domain.share;
    }
    return undefined;
  }

  #drawSynthetic(random: Random, into: Float64Array): void {
    const at = random.integer(0, this.pool.length / SERIES_MONTHS) * SERIES_MONTHS;
    for (let t = 0; t < SERIES_MONTHS; t++) into[t] = this.pool[at + t]!;
  }

  #drawReal(random: Random, domain: Domain, bySeries: boolean): void {
    this.#drawWindow(random, domain, bySeries, this.#window);
    if (domain.mixed && random.chance(this.settings.mixing)) {
      if (random.chance(this.settings.syntheticPartners)) this.#drawSynthetic(random, this.#partner);
      else this.#drawWindow(random, domain, bySeries, this.#partner);
      mix(this.#window, this.#partner, random.uniform(0.2, 0.8));
    }
    if (random.chance(this.settings.tilting)) tilt(this.#window, random.normal(0, ANNUAL_GROWTH));
  }

  #drawWindow(random: Random, domain: Domain, bySeries: boolean, into: Float64Array): void {
    const { series, cumulativeWindows } = domain;
    const total = cumulativeWindows[series.length - 1]!;
    const index = bySeries ? random.integer(0, series.length) : firstAbove(cumulativeWindows, random.uniform() * total);
    const values = series[index]!;
    const origin = random.integer(MIN_HISTORY, values.length);
    for (let t = 0; t < SERIES_MONTHS; t++) into[t] = values[origin - INPUT_MONTHS + t] ?? Number.NaN;
  }

  #writeRow(rows: BatchRows, row: number): void {
    const scale = this.#scale;
    const observed = encodeWindow(this.#history, rows.inputs, row * INPUTS, scale);
    for (let k = 0; k < OUTPUT_MONTHS; k++) {
      const target = (this.#window[INPUT_MONTHS + k]! - scale.center) / scale.spread;
      rows.targets[row * OUTPUT_MONTHS + k] = clamp(target, -TARGET_LIMIT, TARGET_LIMIT);
    }
    const weight = clamp(scale.spread / scale.seasonalChange, MIN_WEIGHT, MAX_WEIGHT);
    rows.weights[row] = observed >= MIN_OBSERVED ? weight : 0;
  }
}

/** Index of the first entry above `value`. */
function firstAbove(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Mean absolute value of the history of a window, above 0. */
const size = (window: Float64Array): number => meanAbsolute(window.subarray(0, INPUT_MONTHS)) + 1e-6;

/** Weighted average of two windows brought to one size, into the first; a month missing in either is missing. */
function mix(window: Float64Array, partner: Float64Array, weight: number): void {
  const own = (MIXED_LEVEL * weight) / size(window);
  const other = (MIXED_LEVEL * (1 - weight)) / size(partner);
  for (let t = 0; t < window.length; t++) window[t] = own * window[t]! + other * partner[t]!;
}

/** Lets the window grow or shrink at a constant rate, so that the years the bundled sets cover do not set the trend. */
function tilt(window: Float64Array, annualGrowth: number): void {
  for (let t = 0; t < window.length; t++) window[t] = window[t]! * Math.exp((annualGrowth * (t - INPUT_MONTHS)) / 12);
}
