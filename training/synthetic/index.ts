import { INPUT_MONTHS, OUTPUT_MONTHS } from '../../src/forecasting/network/shape.js';
import { Random } from '../random.js';
import { toDemand } from './demand.js';
import {
  addBusinessCycle,
  addCycle,
  addDrift,
  addLifeCycle,
  addOutliers,
  addShift,
  addTransientShock,
  addVarianceChange,
} from './events.js';
import { RandomProcess } from './gaussian-process.js';
import { levelPath } from './level.js';
import { addSeasonality } from './seasonality.js';
import { addTradingDays } from './trading-calendar.js';

/** Months of a synthetic series: one window with its future. */
export const SERIES_MONTHS = INPUT_MONTHS + OUTPUT_MONTHS;
/** Series of one block draw their Gaussian process from one covariance, whose factorisation is the dear part. */
export const BLOCK_SERIES = 32;

/** Which synthetic series are drawn. */
export interface SyntheticSettings {
  /** Share of series with business cycles, calendars, life cycles, fading shocks and changes of variance. */
  readonly eventful: number;
  /** Share of series that are draws of a Gaussian process. */
  readonly gaussianProcess: number;
}

/** The structural series: level + season + cycle + shift + outliers, on the log scale. */
function structural(random: Random): Float64Array {
  const z = levelPath(random, SERIES_MONTHS);
  addSeasonality(random, z);
  addCycle(random, z);
  addShift(random, z);
  addOutliers(random, z);
  return z;
}

function addEvents(random: Random, z: Float64Array): void {
  if (random.chance(0.15)) addVarianceChange(random, z);
  if (random.chance(0.5)) addBusinessCycle(random, z);
  if (random.chance(0.4)) addTradingDays(random, z);
  if (random.chance(0.15)) addLifeCycle(random, z);
  if (random.chance(0.25)) addTransientShock(random, z);
}

/**
 * Writes block number `block` of epoch `epoch` into `pool`: {@link BLOCK_SERIES} series of {@link SERIES_MONTHS} months. The same
 * numbers come out whatever was made before.
 */
export function writeBlock(
  pool: Float32Array,
  block: number,
  seed: number,
  epoch: number,
  settings: SyntheticSettings,
): void {
  const random = new Random(seed, 0x5e41, epoch, block);
  const process = random.chance(settings.gaussianProcess) ? new RandomProcess(random, SERIES_MONTHS) : undefined;
  for (let i = 0; i < BLOCK_SERIES; i++) {
    let z: Float64Array;
    if (process === undefined) z = structural(random);
    else {
      z = new Float64Array(SERIES_MONTHS);
      process.addTo(random, z, random.lognormal(-1.7, 0.9));
      if (random.chance(0.6)) addDrift(random, z);
      if (random.chance(0.3)) addSeasonality(random, z);
    }
    if (random.chance(settings.eventful)) addEvents(random, z);
    toDemand(random, z);
    pool.set(z, (block * BLOCK_SERIES + i) * SERIES_MONTHS);
  }
}
