import { formatMonth, parseMonth } from '../../forecasting/index.js';
import type { ConfigOverridesDto } from '../dto/start-run.dto.js';
import { DEFAULT_RUN_CONFIG, type RunConfig } from '../run-config.js';

/** Effective configuration: what the caller gave over the defaults. */
export function effectiveConfig(overrides: ConfigOverridesDto | undefined): RunConfig {
  const given = Object.fromEntries(
    Object.entries(overrides ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<RunConfig>;
  const cutoff = overrides?.cutoff ? formatMonth(parseMonth(overrides.cutoff)) : null;
  return { ...DEFAULT_RUN_CONFIG, ...given, cutoff };
}
