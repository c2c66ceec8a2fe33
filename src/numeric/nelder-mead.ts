/**
 * Minimisation without derivatives by the simplex of Nelder & Mead (The Computer Journal 7, 1965), with the usual
 * coefficients: reflection 1, expansion 2, contraction and shrinkage 1/2.
 */

/** Value by which an objective rejects a point outside its region; finite so that comparisons stay ordered. */
export const INFEASIBLE = 1e300;

export interface NelderMeadOptions {
  /** Evaluations of the objective after which the search stops. */
  readonly maxEvaluations: number;
  /** Stop when the worst and the best vertex differ by less than this share of the best value. */
  readonly tolerance: number;
}

export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
}

/**
 * Minimises `objective` from `start`; vertex i of the first simplex is `start` moved by `step[i - 1]` along its axis.
 * `objective` must return a number for every point (`INFEASIBLE` outside its region) and must not keep its argument.
 * Allocates the simplex once per call, nothing per evaluation.
 */
export function nelderMead(
  objective: (point: Float64Array) => number,
  start: Float64Array,
  step: Float64Array,
  options: NelderMeadOptions,
): Minimum {
  const d = start.length;
  const vertices = Array.from({ length: d + 1 }, () => Float64Array.from(start));
  const values = new Float64Array(d + 1);
  const centroid = new Float64Array(d);
  const reflected = new Float64Array(d);
  const trial = new Float64Array(d);
  for (let i = 0; i <= d; i++) {
    const vertex = vertices[i]!;
    if (i > 0) vertex[i - 1]! += step[i - 1]!;
    values[i] = objective(vertex);
  }
  let evaluations = d + 1;

  while (evaluations < options.maxEvaluations) {
    let best = 0;
    let worst = 0;
    for (let i = 1; i <= d; i++) {
      if (values[i]! < values[best]!) best = i;
      if (values[i]! > values[worst]!) worst = i;
    }
    let second = best;
    for (let i = 0; i <= d; i++) if (i !== worst && values[i]! > values[second]!) second = i;
    if (values[worst]! - values[best]! <= options.tolerance * (Math.abs(values[best]!) + 1e-10)) break;

    const worstVertex = vertices[worst]!;
    centroid.fill(0);
    for (let i = 0; i <= d; i++) {
      if (i === worst) continue;
      const vertex = vertices[i]!;
      for (let j = 0; j < d; j++) centroid[j]! += vertex[j]!;
    }
    for (let j = 0; j < d; j++) {
      centroid[j]! /= d;
      reflected[j] = 2 * centroid[j]! - worstVertex[j]!;
    }
    const reflectedValue = objective(reflected);
    evaluations++;

    if (reflectedValue < values[best]!) {
      for (let j = 0; j < d; j++) trial[j] = 3 * centroid[j]! - 2 * worstVertex[j]!;
      const expandedValue = objective(trial);
      evaluations++;
      const expand = expandedValue < reflectedValue;
      worstVertex.set(expand ? trial : reflected);
      values[worst] = expand ? expandedValue : reflectedValue;
    } else if (reflectedValue < values[second]!) {
      worstVertex.set(reflected);
      values[worst] = reflectedValue;
    } else {
      const inner = reflectedValue >= values[worst]! ? worstVertex : reflected;
      for (let j = 0; j < d; j++) trial[j] = 0.5 * (centroid[j]! + inner[j]!);
      const contractedValue = objective(trial);
      evaluations++;
      if (contractedValue < Math.min(reflectedValue, values[worst]!)) {
        worstVertex.set(trial);
        values[worst] = contractedValue;
      } else {
        const bestVertex = vertices[best]!;
        for (let i = 0; i <= d; i++) {
          if (i === best) continue;
          const vertex = vertices[i]!;
          for (let j = 0; j < d; j++) vertex[j] = 0.5 * (bestVertex[j]! + vertex[j]!);
          values[i] = objective(vertex);
          evaluations++;
        }
      }
    }
  }

  let best = 0;
  for (let i = 1; i <= d; i++) if (values[i]! < values[best]!) best = i;
  return { point: vertices[best]!, value: values[best]! };
}
