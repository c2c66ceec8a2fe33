import { formatMonth, parseMonth } from '../../forecasting/index.js';
import type { ConfigOverridesDto } from '../dto/start-run.dto.js';
import { DEFAULT_RUN_CONFIG, type RunConfig } from '../run-config.js';

/**
 * Defaults for the settings that a request omits when it is compared with an earlier one under the same Idempotency-Key. Never
 * change it, not even if a default changes: after the upgrade a retried request would count as a different one and be refused.
 */
const COMPARED_CONFIG: RunConfig = {
  horizon: 12,
  models: ['auto'],
  backtest_windows: 1,
  min_history: 1,
  cutoff: null,
  series: null,
  outliers: 'dampen',
  seed: 1,
};

/** Effective configuration: the defaults with the caller's overrides applied. */
export function effectiveConfig(overrides: ConfigOverridesDto | undefined): RunConfig {
  return given(overrides, DEFAULT_RUN_CONFIG);
}

/** Configuration by which this and later releases recognize a retried request. */
export function comparedConfig(overrides: ConfigOverridesDto | undefined): RunConfig {
  return given(overrides, COMPARED_CONFIG);
}

function given(overrides: ConfigOverridesDto | undefined, otherwise: RunConfig): RunConfig {
  const named = Object.fromEntries(
    Object.entries(overrides ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<RunConfig>;
  const cutoff = overrides?.cutoff ? formatMonth(parseMonth(overrides.cutoff)) : null;
  return { ...otherwise, ...named, cutoff };
}
