import { senseDemand, type SensingInput } from '../../src/forecasting/index.js';

const RIVALS = ['forecast', 'pro_rata', 'elapsed_weight', 'pro_rata_learned_share'] as const;

/** Errors of sensing and of what it has to beat, at one point of the month, over many items and months. */
export class SensingScores {
  private readonly errors = { blend: 0, forecast: 0, pro_rata: 0, elapsed_weight: 0, pro_rata_learned_share: 0 };
  private cases = 0;
  private within = 0;

  /**
   * Adds a month of an item whose total turned out as `actual`; errors count in units of `scale`, the item's typical month.
   * Rivals: the forecast alone, pro rata (to date over elapsed share), the blend by elapsed share (to date plus the rest of the
   * forecast), and pro rata with the learned share.
   */
  add(input: SensingInput, actual: number, scale: number): void {
    const { prior, monthToDate, elapsed } = input;
    const sensed = senseDemand(input);
    const count = (name: keyof typeof this.errors, value: number) =>
      (this.errors[name] += Math.abs(value - actual) / scale);
    count('blend', sensed.q50);
    count('forecast', prior.q50);
    count('pro_rata', monthToDate / elapsed);
    count('elapsed_weight', monthToDate + (1 - elapsed) * prior.mean);
    count('pro_rata_learned_share', monthToDate / sensed.expectedShare);
    if (actual >= sensed.q10 && actual <= sensed.q90) this.within++;
    this.cases++;
  }

  /** Mean absolute errors, the blend's gain over the best of the others, and how often the month was within q10 and q90. */
  report(): Record<string, number> {
    const mean = Object.fromEntries(
      Object.entries(this.errors).map(([name, sum]) => [name, Number((sum / this.cases).toFixed(4))]),
    );
    const best = Math.min(...RIVALS.map((name) => this.errors[name]));
    return {
      cases: this.cases,
      ...mean,
      gain_percent: Number((100 * (1 - this.errors.blend / best)).toFixed(1)),
      coverage_q10_q90: Number(((100 * this.within) / this.cases).toFixed(1)),
    };
  }
}
