import { clamp } from '../../../numeric/clamp.js';
import type { MonthNumber } from '../../types.js';
import { CLIP } from './error-scale.js';
import { OneStepPredictor } from './one-step-predictor.js';
import { type ObservedMonth, predict, type Prediction, type PredictorState } from './predictor-state.js';

/** Growth of the warm-up, in standard deviations of a month a year, below which a line serves: two predictors take twice the time. */
const MIN_GROWTH = 1;
/** Fits of the warm-up to find the rate of growth. */
const RATE_FITS = 2;
/** Weight that a month's likelihood keeps from month to month. */
const MEMORY = 0.95;
/** Log likelihood ratio from which growth is taken for steady; it is until the line is more likely. */
const MIN_LEAD = 2;

/** A predictor with what it knew before each observed month, and what it expects of the next. */
interface Candidate {
  readonly predictor: OneStepPredictor;
  readonly states: PredictorState[];
  prediction: Prediction | undefined;
}

/**
 * The predictor that a series is judged by. Growth is a line on the root scale until growth by a constant percentage has predicted
 * months better, which it does where demand varies little beside its growth; goods that are being launched would be expected to
 * grow for ever if that came first. Which one does is told by the likelihood of each month given those before it (prequential:
 * Dawid, J. Royal Statistical Society A 147, 1984).
 */
export class PredictorSelection {
  private readonly line: Candidate;
  private readonly steady: Candidate | undefined;
  private chosen: Candidate;
  /** Log likelihood ratio of constant growth. */
  private lead = 0;

  /**
   * @param startMonth month of index 0
   * @param warmUp the first observed months
   */
  constructor(startMonth: MonthNumber, warmUp: readonly ObservedMonth[]) {
    const line = new OneStepPredictor(startMonth, warmUp);
    this.line = candidate(line);
    this.chosen = this.line;
    if (Math.abs(line.shape().growth) > MIN_GROWTH) this.steady = candidate(steadilyGrowing(line, startMonth, warmUp));
  }

  /** The one that is trusted. */
  get predictor(): OneStepPredictor {
    return this.chosen.predictor;
  }

  /** What the trusted predictor knew before observed month `at`. */
  stateBefore(at: number): PredictorState {
    return this.chosen.states[at]!;
  }

  /** Predicts observed month `at`, of `index` in the history; `follows` if the last one is that of the month before. */
  predict(at: number, index: number, follows: boolean): Prediction {
    for (const each of this.candidates()) {
      if (!follows) each.predictor.scale.interrupt();
      const state = each.predictor.state();
      each.states[at] = state;
      each.prediction = predict(state, index);
    }
    return this.chosen.prediction!;
  }

  /** Learns from the month that was predicted last. */
  learn(month: ObservedMonth): void {
    for (const { predictor, prediction } of this.candidates()) predictor.update(month, prediction!);
    const { line, steady } = this;
    if (!steady) return;
    this.lead = MEMORY * this.lead + logLikelihood(month, steady.prediction!) - logLikelihood(month, line.prediction!);
    if (this.lead > MIN_LEAD) this.chosen = steady;
    else if (this.lead < 0) this.chosen = line;
  }

  /** Goes on from the level of `months`, the first of which is observed month `start`. */
  restartFrom(months: readonly ObservedMonth[], start: number): void {
    for (const { predictor, states } of this.candidates()) predictor.restartFrom(months, states[start]!);
  }

  private candidates(): Candidate[] {
    return this.steady ? [this.line, this.steady] : [this.line];
  }
}

function candidate(predictor: OneStepPredictor): Candidate {
  return { predictor, states: [], prediction: undefined };
}

/** A predictor of constant growth, at the rate that the warm-up of `line` shows. */
function steadilyGrowing(
  line: OneStepPredictor,
  startMonth: MonthNumber,
  warmUp: readonly ObservedMonth[],
): OneStepPredictor {
  const { index } = warmUp.at(-1)!;
  let predictor = line;
  for (let fits = 0; fits < RATE_FITS; fits++) {
    predictor = new OneStepPredictor(startMonth, warmUp, predictor.constantGrowth(index));
  }
  return predictor;
}

/** Normal log likelihood but for a constant; months far off count as {@link CLIP} standard deviations. */
function logLikelihood({ value }: ObservedMonth, { expected, sigma }: Prediction): number {
  const z = clamp((value - expected) / sigma, -CLIP, CLIP);
  return -0.5 * z * z - Math.log(sigma);
}
