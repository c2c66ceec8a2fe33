import { type DemandPattern, type RouteName } from '../../forecasting/index.js';

const ROUTES: Readonly<Record<RouteName, string>> = {
  combination: 'weighted average of several methods',
  network: 'a neural network, for 4 to 12 observed months, mixed with the count model if demand may be rare',
  intermittent: 'count model, for rare demand and small whole numbers',
  in_season: 'goods that sell in the same calendar months of every year',
  order_cycle: 'orders at intervals of two to six months',
  category_shape: 'new item, with the seasonality of its category or workspace, mixed like `network`',
  recent_mean: 'new item, level only, mixed like `network`',
};

const PATTERNS: Readonly<Record<DemandPattern, string>> = {
  smooth: 'frequent demand of similar sizes',
  erratic: 'frequent demand of varying sizes',
  intermittent: 'rare demand of similar sizes',
  lumpy: 'rare demand of varying sizes',
  short: 'under 13 observed months',
  new: 'under 4 observed months',
  dead: 'no demand for 24 observed months, or no demand at all',
};

const inWords = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ');

/** Names of what produced a forecast, for descriptions. */
export const MODELS_IN_WORDS = `a method named in \`config_overrides.models\`, or the route chosen by \`auto\`: ${inWords(ROUTES)}`;

/** Demand patterns, for descriptions. */
export const PATTERNS_IN_WORDS = inWords(PATTERNS);

/** What produced a forecast, as documented in the API. */
export const MODEL_PROPERTY = {
  description: `What produced the forecast: ${MODELS_IN_WORDS}.`,
  example: 'combination',
} as const;
