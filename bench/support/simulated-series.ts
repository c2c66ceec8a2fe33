import type { DemandHistory } from '../../src/forecasting/types.js';
import type { Draws } from './draws.js';

/** Months of a simulated series. */
export const MONTHS = 84;

/** Expected demand and standard deviation per month, and how a month is drawn from them. */
export interface Design {
  readonly mean: Float64Array;
  readonly sigma: Float64Array;
  draw(mean: number, sigma: number): number;
}

/** Draws a season: the factor of each month since the first. */
type Season = (draws: Draws) => (t: number) => number;

/** Families of demand; each draws its own level, scatter, season and growth. */
export const FAMILIES: Readonly<Record<string, (draws: Draws) => Design>> = {
  steady: (draws) => regular(draws, { season: 0, growth: 0, skewed: false }),
  seasonal: (draws) => regular(draws, { season: draws.between(0.1, 0.4), growth: 0, skewed: false }),
  skewed: (draws) => regular(draws, { season: draws.between(0, 0.3), growth: 0, skewed: true }),
  growing: (draws) =>
    regular(draws, { season: draws.between(0, 0.3), growth: draws.between(-0.05, 0.1), skewed: false }),
  counts,
  intermittent: (draws) => infrequent(draws, [0.2, 1]),
  lumpy,
  six_of_twelve: (draws) => infrequent(draws, [2, 2], inMonths(6)),
  four_of_twelve: (draws) => infrequent(draws, [2, 2], inMonths(4)),
  infrequent_wave: (draws) => infrequent(draws, [0.2, 1], wave(0.9)),
};

/** Quantities of a level, scatter, season and growth; normal, or log-normal where they are skewed. */
function regular(draws: Draws, shape: { season: number; growth: number; skewed: boolean }): Design {
  const level = Math.exp(draws.between(Math.log(50), Math.log(5000)));
  const variation = draws.pick([0.1, 0.15, 0.2, 0.3]);
  const phase = draws.between(0, 12);
  const second = draws.between(0, 0.5);
  // Three seasons in ten have a peak month besides their waves.
  const peak = draws.uniform() < 0.3 ? Math.floor(draws.between(0, 12)) : -1;
  const mean = Float64Array.from({ length: MONTHS }, (_, t) => {
    const angle = (2 * Math.PI * (t - phase)) / 12;
    const wave = (Math.sin(angle) + second * Math.sin(2 * angle)) / (1 + second) + (t % 12 === peak ? 1 : 0);
    return level * Math.exp((shape.growth * t) / 12) * (1 + shape.season * wave);
  });
  return {
    mean,
    sigma: mean.map((value) => value * variation),
    draw: (m, s) => {
      if (!shape.skewed) return Math.max(m + s * draws.normal(), 0);
      const spread = Math.sqrt(Math.log(1 + (s / m) ** 2));
      return m * Math.exp(spread * draws.normal() - 0.5 * spread * spread);
    },
  };
}

/** Negative binomial months of 6 to 40 pieces. */
function counts(draws: Draws): Design {
  const level = draws.between(6, 40);
  const dispersion = draws.between(1, 2);
  const mean = new Float64Array(MONTHS).fill(level);
  return {
    mean,
    sigma: mean.map((value) => Math.sqrt(value * dispersion)),
    draw: (m) => draws.count(m, dispersion),
  };
}

/** Negative binomial months of a mean within `level`, times the factors of a season. */
function infrequent(draws: Draws, level: readonly [number, number], season: Season = () => () => 1): Design {
  const dispersion = draws.between(1, 3);
  const average = draws.between(...level);
  const factor = season(draws);
  const mean = Float64Array.from({ length: MONTHS }, (_, t) => average * factor(t));
  return {
    mean,
    sigma: mean.map((value) => Math.sqrt(value * dispersion)),
    draw: (m) => draws.count(m, dispersion),
  };
}

/** Demand in so many months of twelve in a row, none in the others. */
function inMonths(months: number): Season {
  return (draws) => {
    const first = Math.floor(draws.between(0, 12));
    return (t) => ((t + 12 - first) % 12 < months ? 1 : 0);
  };
}

function wave(amplitude: number): Season {
  return (draws) => {
    const phase = draws.between(0, 12);
    return (t) => 1 + amplitude * Math.sin((2 * Math.PI * (t - phase)) / 12);
  };
}

/** Log-normal orders in 15 to 60 % of months; more demand comes as more orders, and beyond one a month as larger ones. */
function lumpy(draws: Draws): Design {
  const probability = draws.between(0.15, 0.6);
  const spread = draws.between(0.3, 0.8);
  const size = 10 * Math.exp(0.5 * spread * spread);
  const mean = new Float64Array(MONTHS).fill(probability * size);
  return {
    mean,
    sigma: mean.map((value) => Math.sqrt(value * size * Math.exp(spread * spread) - value * value)),
    draw: (m) => {
      const chance = Math.min(m / size, 1);
      return draws.uniform() < chance ? Math.round(10 * (m / size / chance) * Math.exp(spread * draws.normal())) : 0;
    },
  };
}

/** A history drawn from the design, its mean moved by so many standard deviations from month `shiftAt` on. */
export function historyOf(design: Design, shiftAt: number, shiftSigmas: number): DemandHistory {
  const values = design.mean.map((mean, t) => {
    const sigma = design.sigma[t]!;
    return design.draw(t >= shiftAt ? Math.max(mean + shiftSigmas * sigma, 0) : mean, sigma);
  });
  return { id: 'simulated', startMonth: 24_000, values };
}
