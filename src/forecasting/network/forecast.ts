import { LEVELS, MEDIAN, type QuantileForecast } from '../types.js';
import { continueForecast } from './continue-forecast.js';
import { encodeWindow, type WindowScale } from './features.js';
import { NetworkInference } from './inference.js';
import { PRETRAINED_WEIGHTS } from './pretrained.js';
import { INPUTS, OUTPUT_MONTHS, OUTPUTS } from './shape.js';
import { decodeWeights } from './weights.js';

/** Rows computed together; the weights are then read once for all of them. */
const BLOCK_ROWS = 8;

let pretrained: readonly NetworkInference[] | undefined;

function pretrainedNetworks(): readonly NetworkInference[] {
  pretrained ??= decodeWeights(Uint8Array.from(atob(PRETRAINED_WEIGHTS), (c) => c.charCodeAt(0))).map(
    (weights) => new NetworkInference(weights, BLOCK_ROWS),
  );
  return pretrained;
}

/**
 * Forecasts several histories (series, or views of one series) with the pretrained networks, averaged
 * (docs/engine-network.md). A forecast is the same to the bit whatever others are made with it, and together they take about a
 * third of the time.
 * @param histories monthly demand, oldest first, NaN where missing; the last 60 months are read. With no observed month every
 *   quantile is 0.
 * @param horizon months to forecast, 1 or more. Beyond {@link OUTPUT_MONTHS} see {@link continueForecast}.
 * @returns ascending quantiles, none below 0 when no value is; `mean` is the mean of the nine quantiles.
 */
export function networkForecasts(histories: readonly Float64Array[], horizon: number): QuantileForecast[] {
  return forecastsOf(pretrainedNetworks(), histories, horizon);
}

/** {@link networkForecasts} with given networks of one capacity: training scores its own. */
export function forecastsOf(
  networks: readonly NetworkInference[],
  histories: readonly Float64Array[],
  horizon: number,
): QuantileForecast[] {
  const direct = Math.min(horizon, OUTPUT_MONTHS);
  const forecasts: QuantileForecast[] = [];
  const { capacity, inputs } = networks[0]!;
  const scales = Array.from({ length: capacity }, (): WindowScale => ({ center: 0, spread: 1, seasonalChange: 1 }));
  for (let first = 0; first < histories.length; first += capacity) {
    const rows = Math.min(capacity, histories.length - first);
    for (let row = 0; row < rows; row++) {
      encodeWindow(histories[first + row]!, inputs, row * INPUTS, scales[row]!);
    }
    for (const network of networks) {
      if (network.inputs !== inputs) network.inputs.set(inputs);
      network.run(rows);
    }
    for (let row = 0; row < rows; row++)
      forecasts.push(readForecast(networks, row * OUTPUTS, scales[row]!, histories[first + row]!, direct));
  }
  return horizon > OUTPUT_MONTHS ? extend(networks, histories, forecasts, horizon) : forecasts;
}

/** Average of the networks' quantiles of one row, in demand units. */
function readForecast(
  networks: readonly NetworkInference[],
  at: number,
  scale: WindowScale,
  values: Float64Array,
  horizon: number,
): QuantileForecast {
  const quantiles = new Float64Array(horizon * LEVELS);
  const mean = new Float64Array(horizon);
  if (values.every((x) => Number.isNaN(x))) return { mean, quantiles };
  const floor = values.some((x) => x < 0) ? -Infinity : 0;
  for (const { outputs } of networks)
    for (let k = 0; k < horizon; k++) addAscending(outputs, at + k * LEVELS, quantiles, k * LEVELS);
  for (let k = 0; k < horizon; k++) {
    for (let i = k * LEVELS; i < (k + 1) * LEVELS; i++) {
      const x = Math.max(floor, scale.center + (scale.spread * quantiles[i]!) / networks.length);
      quantiles[i] = x;
      mean[k]! += x / LEVELS;
    }
  }
  return { mean, quantiles };
}

const month = new Float64Array(LEVELS);

/** Adds the quantiles of one month, which a network may give in any order, in ascending order. */
function addAscending(outputs: Float32Array, from: number, sums: Float64Array, to: number): void {
  for (let j = 0; j < LEVELS; j++) {
    const x = outputs[from + j]!;
    let place = j;
    for (; place > 0 && month[place - 1]! > x; place--) month[place] = month[place - 1]!;
    month[place] = x;
  }
  for (let j = 0; j < LEVELS; j++) sums[to + j]! += month[j]!;
}

/**
 * Carries forecasts beyond {@link OUTPUT_MONTHS}: the medians are appended to the history and the network runs again; its medians
 * continue the path ({@link continueForecast}).
 */
function extend(
  networks: readonly NetworkInference[],
  histories: readonly Float64Array[],
  forecasts: readonly QuantileForecast[],
  horizon: number,
): QuantileForecast[] {
  const continued = histories.map((values, i) => {
    const { quantiles } = forecasts[i]!;
    const longer = new Float64Array(values.length + OUTPUT_MONTHS);
    longer.set(values);
    for (let k = 0; k < OUTPUT_MONTHS; k++) longer[values.length + k] = quantiles[k * LEVELS + MEDIAN]!;
    return longer;
  });
  const paths = forecastsOf(networks, continued, horizon - OUTPUT_MONTHS);
  return forecasts.map((forecast, i) => continueForecast(forecast, paths[i]!, horizon, histories[i]!));
}
