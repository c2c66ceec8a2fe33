import type { DemandHistory, EngineSettings, PooledModel } from '../../forecasting/index.js';

/** What the engine's threads are asked to do, and what they answer. Everything here survives structured cloning. */
export interface PoolTask {
  readonly kind: 'pool';
  readonly histories: readonly DemandHistory[];
  readonly settings: EngineSettings;
}

export interface FitTask {
  readonly kind: 'fit';
  readonly histories: readonly DemandHistory[];
  readonly pooled: PooledModel;
  readonly settings: EngineSettings;
}
