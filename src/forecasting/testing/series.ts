import type { ExposedDemand } from '../intermittent/exposed-demand.js';
import { monthNumber } from '../calendar.js';
import { createRandom } from '../../numeric/random.js';
import type { DemandHistory } from '../types.js';

/** Series for specs: simple on purpose, so that what a test expects can be seen from its text. */

/** Monthly airline passengers in thousands, January 1949 to December 1960: Box & Jenkins, Time Series Analysis, series G. */
export const AIR_PASSENGERS = Float64Array.of(
  ...[112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118],
  ...[115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114, 140],
  ...[145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166],
  ...[171, 180, 193, 181, 183, 218, 230, 242, 209, 191, 172, 194],
  ...[196, 196, 236, 235, 229, 243, 264, 272, 237, 211, 180, 201],
  ...[204, 188, 235, 227, 234, 264, 302, 293, 259, 229, 203, 229],
  ...[242, 233, 267, 269, 270, 315, 364, 347, 312, 274, 237, 278],
  ...[284, 277, 317, 313, 318, 374, 413, 405, 355, 306, 271, 306],
  ...[315, 301, 356, 348, 355, 422, 465, 467, 404, 347, 305, 336],
  ...[340, 318, 362, 348, 363, 435, 491, 505, 404, 359, 310, 337],
  ...[360, 342, 406, 396, 420, 472, 548, 559, 463, 407, 362, 405],
  ...[417, 391, 419, 461, 472, 535, 622, 606, 508, 461, 390, 432],
);

/** Annual flow of the Nile, 1871 to 1970: Cobb, Biometrika 65, 1978. A series without season. */
export const NILE = Float64Array.of(
  ...[1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140],
  ...[1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969],
  ...[831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759],
  ...[781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890],
  ...[744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740],
);

/** A history of these values from January 2015 on (NaN = missing), with what `overrides` sets otherwise. */
export function history(
  values: Float64Array | readonly number[],
  overrides: Partial<DemandHistory> = {},
): DemandHistory {
  return { id: 'series', startMonth: monthNumber(2015, 1), values: Float64Array.from(values), ...overrides };
}

/** Level 100 with a yearly wave of 30 % and noise of 5 %. */
export function seasonalSeries(months: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from(
    { length: months },
    (_, t) => 100 * (1 + 0.3 * Math.sin((2 * Math.PI * t) / 12)) * (1 + 0.1 * (random() - 0.5)),
  );
}

/** Demand of 1 to 5 pieces in about every fourth month. */
export function intermittentSeries(months: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: months }, () => (random() < 0.25 ? 1 + Math.floor(5 * random()) : 0));
}

/** 57 months of noise around 150 and a last month of 906. */
export function spikedNoise(seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 58 }, (_, t) => (t < 57 ? Math.round(140 + 20 * random()) : 906));
}

/** Demand of which every month counts for one, or for `exposure`, known for sure. */
export function exposed(
  demand: Float64Array,
  exposure: Float64Array = new Float64Array(demand.length).fill(1),
): ExposedDemand {
  return { demand, exposure, uncertainty: new Float64Array(demand.length) };
}
