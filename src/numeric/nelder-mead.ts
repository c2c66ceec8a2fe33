/**
 * Minimisation without derivatives by the simplex of Nelder & Mead (The Computer Journal 7, 1965), with the usual
 * coefficients: reflection 1, expansion 2, contraction and shrinkage 1/2.
 */

/** Value by which an objective rejects a point outside its region; finite so that comparisons stay ordered. */
export const INFEASIBLE = 1e300;

/** When the search stops. */
export interface NelderMeadOptions {
  /** Evaluations of the objective after which the search stops. */
  readonly maxEvaluations: number;
  /** Stop when the worst and the best vertex differ by less than this share of the best value. */
  readonly tolerance: number;
}

/** The best vertex found. */
export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
}

type Objective = (point: Float64Array) => number;

/**
 * Minimises `objective` from `start`; vertex i of the first simplex is `start` moved by `step[i - 1]` along its axis.
 * `objective` must return a number for every point (`INFEASIBLE` outside its region) and must not keep its argument.
 * Allocates the simplex once per call, nothing per evaluation.
 */
export function nelderMead(
  objective: Objective,
  start: Float64Array,
  step: Float64Array,
  options: NelderMeadOptions,
): Minimum {
  const simplex = new Simplex(objective, start, step);
  while (simplex.evaluations < options.maxEvaluations && !simplex.hasConverged(options.tolerance)) simplex.move();
  return simplex.minimum();
}

class Simplex {
  evaluations = 0;
  private readonly vertices: readonly Float64Array[];
  private readonly values: Float64Array;
  /** Positions of the lowest, the highest and the second highest value. */
  private best = 0;
  private worst = 0;
  private second = 0;
  private readonly centroid: Float64Array;
  private readonly reflected: Float64Array;
  private readonly trial: Float64Array;

  constructor(
    private readonly objective: Objective,
    start: Float64Array,
    step: Float64Array,
  ) {
    const dimensions = start.length;
    this.vertices = Array.from({ length: dimensions + 1 }, () => Float64Array.from(start));
    this.values = new Float64Array(dimensions + 1);
    this.centroid = new Float64Array(dimensions);
    this.reflected = new Float64Array(dimensions);
    this.trial = new Float64Array(dimensions);
    this.vertices.forEach((vertex, i) => {
      if (i > 0) vertex[i - 1]! += step[i - 1]!;
      this.values[i] = this.evaluate(vertex);
    });
    this.rank();
  }

  hasConverged(tolerance: number): boolean {
    const lowest = this.values[this.best]!;
    return this.values[this.worst]! - lowest <= tolerance * (Math.abs(lowest) + 1e-10);
  }

  minimum(): Minimum {
    return { point: this.vertices[this.best]!, value: this.values[this.best]! };
  }

  /** One iteration: reflects the worst vertex through the centroid of the others, then expands, contracts or shrinks. */
  move(): void {
    const { values, reflected, best, worst, second } = this;
    this.reflectWorst();
    const reflectedValue = this.evaluate(reflected);
    if (reflectedValue < values[best]!) this.expand(reflectedValue);
    else if (reflectedValue < values[second]!) this.replaceWorst(reflected, reflectedValue);
    else this.contract(reflectedValue, reflectedValue >= values[worst]! ? this.vertices[worst]! : reflected);
    this.rank();
  }

  private reflectWorst(): void {
    const { vertices, centroid, reflected, worst } = this;
    const dimensions = centroid.length;
    centroid.fill(0);
    for (let i = 0; i <= dimensions; i++) {
      if (i === worst) continue;
      for (let j = 0; j < dimensions; j++) centroid[j]! += vertices[i]![j]!;
    }
    for (let j = 0; j < dimensions; j++) {
      centroid[j]! /= dimensions;
      reflected[j] = 2 * centroid[j]! - vertices[worst]![j]!;
    }
  }

  private expand(reflectedValue: number): void {
    const { centroid, reflected, trial } = this;
    const worstVertex = this.vertices[this.worst]!;
    for (let j = 0; j < trial.length; j++) trial[j] = 3 * centroid[j]! - 2 * worstVertex[j]!;
    const value = this.evaluate(trial);
    if (value < reflectedValue) this.replaceWorst(trial, value);
    else this.replaceWorst(reflected, reflectedValue);
  }

  /** Half way from the centroid to `toward`; where that is no better, all vertices move half way to the best one. */
  private contract(reflectedValue: number, toward: Float64Array): void {
    const { centroid, trial } = this;
    for (let j = 0; j < trial.length; j++) trial[j] = 0.5 * (centroid[j]! + toward[j]!);
    const value = this.evaluate(trial);
    if (value < Math.min(reflectedValue, this.values[this.worst]!)) this.replaceWorst(trial, value);
    else this.shrink();
  }

  private shrink(): void {
    const bestVertex = this.vertices[this.best]!;
    this.vertices.forEach((vertex, i) => {
      if (i === this.best) return;
      for (let j = 0; j < vertex.length; j++) vertex[j] = 0.5 * (bestVertex[j]! + vertex[j]!);
      this.values[i] = this.evaluate(vertex);
    });
  }

  private replaceWorst(point: Float64Array, value: number): void {
    this.vertices[this.worst]!.set(point);
    this.values[this.worst] = value;
  }

  private evaluate(point: Float64Array): number {
    this.evaluations++;
    return this.objective(point);
  }

  private rank(): void {
    const { values } = this;
    let best = 0;
    let worst = 0;
    for (let i = 1; i < values.length; i++) {
      if (values[i]! < values[best]!) best = i;
      if (values[i]! > values[worst]!) worst = i;
    }
    let second = best;
    for (let i = 0; i < values.length; i++) if (i !== worst && values[i]! > values[second]!) second = i;
    this.best = best;
    this.worst = worst;
    this.second = second;
  }
}
