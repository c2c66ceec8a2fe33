import { type BacktestWindow, LEVELS } from '../forecasting/index.js';
import type { OrderSizes } from '../inventory/index.js';

/**
 * The storage format of numbers: IEEE 754 doubles, little-endian, contiguous. A packed column is read an order of magnitude faster than a
 * row per month, and is lossless (docs/decisions/0003).
 */
export function packNumbers(values: ArrayLike<number>): Buffer {
  return Buffer.from(Float64Array.from(values).buffer);
}

/** The inverse of {@link packNumbers}; a view of the bytes if they are aligned, in which case they must not change afterwards. */
export function unpackNumbers(bytes: Uint8Array): Float64Array {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float64Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 8);
}

/** Numbers before the arrays of a packed backtest window: first month, steps, MASE scale, RMSSE scale. */
const WINDOW_HEADER = 4;

/** Backtest windows as one packed column: count, then each window's header, actual, naive, mean and quantiles. */
export function packBacktest(windows: readonly BacktestWindow[]): Buffer {
  const numbers: number[] = [windows.length];
  for (const window of windows) {
    numbers.push(window.firstMonth, window.actual.length, window.maseScale, window.rmsseScale);
    numbers.push(...window.actual, ...window.naive, ...window.mean, ...window.quantiles);
  }
  return packNumbers(numbers);
}

/** The inverse of {@link packBacktest}; views, as of {@link unpackNumbers}: copies took most of the time. */
export function unpackBacktest(bytes: Uint8Array): BacktestWindow[] {
  const numbers = unpackNumbers(bytes);
  let position = 1;
  const take = (count: number): Float64Array => numbers.subarray(position, (position += count));
  return Array.from({ length: numbers[0] ?? 0 }, () => {
    const [firstMonth = 0, steps = 0, maseScale = NaN, rmsseScale = NaN] = take(WINDOW_HEADER);
    return {
      firstMonth,
      maseScale,
      rmsseScale,
      actual: take(steps),
      naive: take(steps),
      mean: take(steps),
      quantiles: take(steps * LEVELS),
    };
  });
}

/** Moments of the sizes of orders as one packed column, in the order of their powers. */
export function packOrderSizes({ mean, meanSquare, meanCube }: OrderSizes): Buffer {
  return packNumbers([mean, meanSquare, meanCube]);
}

/** The inverse of {@link packOrderSizes}. */
export function unpackOrderSizes(bytes: Uint8Array): OrderSizes {
  const [mean = NaN, meanSquare = NaN, meanCube = NaN] = unpackNumbers(bytes);
  return { mean, meanSquare, meanCube };
}
