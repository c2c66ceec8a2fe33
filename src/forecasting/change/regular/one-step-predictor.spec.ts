import { describe, expect, it } from '@jest/globals';
import { normalQuantile } from '../../../numeric/normal.js';
import { createRandom } from '../../../numeric/random.js';
import { OneStepPredictor } from './one-step-predictor.js';
import { noiseVariance, predict, type PredictorState } from './predictor-state.js';

const WARM_UP = 24;

/** A level of 100 with a yearly wave of 20 and noise of `sigma`. */
function series(months: number, sigma: number, seed = 2): number[] {
  const random = createRandom(seed);
  return Array.from({ length: months }, (_, t) => wave(t) + sigma * normalQuantile(0.001 + 0.998 * random()));
}

function wave(t: number): number {
  return 100 + 20 * Math.sin((2 * Math.PI * t) / 12);
}

function predictorOf(values: readonly number[]): OneStepPredictor {
  const months = values.map((value, index) => ({ index, value }));
  const predictor = new OneStepPredictor(24_240, months.slice(0, WARM_UP));
  for (const month of months.slice(WARM_UP)) predictor.update(month, predict(predictor.state(), month.index));
  return predictor;
}

function expectedOf(values: readonly number[], index = values.length): number {
  return predict(predictorOf(values).state(), index).expected;
}

describe('OneStepPredictor', () => {
  it('predicts the full season after just two years', () => {
    for (const months of [24, 84]) {
      for (let ahead = 0; ahead < 12; ahead++) {
        const index = months + ahead;
        expect(Math.abs(expectedOf(series(months, 1), index) - wave(index))).toBeLessThan(3);
      }
    }
  });

  it('limits the effect of one extreme month in the first two years to a third of it in any month', () => {
    const clean = series(WARM_UP, 3);
    const spiked = clean.map((value, t) => (t === 15 ? value + 400 : value));
    for (let ahead = 0; ahead < 12; ahead++) {
      const index = WARM_UP + ahead;
      expect(Math.abs(expectedOf(spiked, index) - expectedOf(clean, index))).toBeLessThan(400 / 3);
    }
    const variance = (values: number[]) => predictorOf(values).state().variance;
    expect(variance(spiked)).toBeLessThan(400 ** 2 / 100);
  });

  it('clips a later month to 2.5 standard deviations', () => {
    const clean = series(60, 3);
    const of = (last: number) => expectedOf([...clean, wave(60) + last]);
    expect(of(1000)).toBe(of(40));
    expect(of(1000)).toBeGreaterThan(of(0));
    expect(of(1000) - of(0)).toBeLessThan(2.5);
  });

  it('has standard normal scores while nothing changes', () => {
    const scores = Array.from({ length: 40 }, (_, seed) => {
      const values = series(60, 5, seed + 1);
      const { expected, score } = predict(predictorOf(values.slice(0, 59)).state(), 59);
      return score(values[59]! - expected);
    });
    const square = scores.reduce((sum, score) => sum + score * score, 0) / scores.length;
    expect(square).toBeGreaterThan(0.6);
    expect(square).toBeLessThan(1.6);
  });

  it('restarts from the months of a shift with the season it knew', () => {
    const predictor = predictorOf(series(60, 1));
    const shifted = [60, 61, 62, 63, 64, 65].map((index) => ({ index, value: wave(index) + 80 }));
    predictor.restartFrom(shifted, predictor.state());
    for (let index = 66; index < 78; index++) {
      expect(Math.abs(predict(predictor.state(), index).expected - (wave(index) + 80))).toBeLessThan(3);
    }
  });

  it('does not learn the season from the months of a shift', () => {
    const predictor = predictorOf(series(60, 1));
    const before = predictor.state();
    const shifted = [60, 61, 62].map((index) => ({ index, value: wave(index) - 80 }));
    for (const month of shifted) predictor.update(month, predict(predictor.state(), month.index));
    predictor.restartFrom(shifted, before);
    // refitting moves the variances of the season by one step
    const { coefficients } = predictor.state();
    coefficients.forEach((value, i) => expect(Math.abs(value - before.coefficients[i]!)).toBeLessThan(0.01));
  });

  it('expects growth by a constant percentage, and a season that grows with it, to go on', () => {
    const growing = (t: number) => wave(t) * 1.2 ** (t / 12);
    const values = series(60, 1).map((value, t) => value * 1.2 ** (t / 12));
    const months = values.map((value, index) => ({ index, value }));
    const warmUp = months.slice(0, WARM_UP);
    const rate = new OneStepPredictor(24_240, warmUp).constantGrowth(WARM_UP - 1);
    const predictor = new OneStepPredictor(24_240, warmUp, rate);
    for (const month of months.slice(WARM_UP)) predictor.update(month, predict(predictor.state(), month.index));
    for (let index = 60; index < 72; index++) {
      expect(Math.abs(predict(predictor.state(), index).expected / growing(index) - 1)).toBeLessThan(0.02);
    }
  });

  it('considers growth less certain after a shift, the more so the faster it was', () => {
    const lost = [0, 20].map((growth) => {
      const predictor = predictorOf(series(60, 2).map((value, t) => value + (growth * t) / 12));
      const before = predictor.state();
      const shifted = [60, 61, 62].map((index) => ({ index, value: wave(index) + 60 }));
      predictor.restartFrom(shifted, before);
      const ofGrowth = ({ factor }: PredictorState) => factor.at(-1)!;
      return ofGrowth(before) / ofGrowth(predictor.state());
    });
    expect(lost[0]).toBeLessThan(1.5);
    expect(lost[1]).toBeGreaterThan(5);
  });

  it('considers the level of a shift less certain than that of as many ordinary months', () => {
    const predictor = predictorOf(series(60, 1));
    const shifted = [60, 61, 62, 63].map((index) => ({ index, value: 180 }));
    predictor.restartFrom(shifted, predictor.state());
    const state = predictor.state();
    expect(state.levelVariance).toBeCloseTo(noiseVariance(state, 180) / 2, 9);
  });

  it('scales the noise of a month with its mean, within bounds', () => {
    const state = predictorOf(series(WARM_UP, 1)).state();
    const level = series(WARM_UP, 1).reduce((sum, value) => sum + value, 0) / WARM_UP;
    expect(noiseVariance(state, level)).toBeCloseTo(1, 9);
    expect(noiseVariance(state, 2.25 * level)).toBeCloseTo(2.25 ** 1.5, 9);
    expect(noiseVariance(state, 1000 * level)).toBe(8);
    expect(noiseVariance(state, -level)).toBe(1 / 8);
    expect(noiseVariance({ reference: 0 }, 5)).toBe(1);
  });

  it('keeps scores of a constant history finite', () => {
    const predictor = predictorOf(new Array<number>(40).fill(50));
    const { expected, score } = predict(predictor.state(), 40);
    expect(expected).toBeCloseTo(50, 6);
    expect(Number.isFinite(score(1))).toBe(true);
    expect(score(1)).toBeGreaterThan(3);
  });
});
