import { ROUTE_NAMES } from '../../forecasting/index.js';

/** Names of what produced a forecast, for descriptions. */
export const MODELS_IN_WORDS = `a method of \`config_overrides.models\`, or of \`auto\` its route: ${ROUTE_NAMES.map((name) => `\`${name}\``).join(', ')}`;

/** What produced a forecast, as the API documents it. */
export const MODEL_PROPERTY = {
  description: `What produced the forecast: ${MODELS_IN_WORDS}.`,
  example: 'combination',
} as const;
