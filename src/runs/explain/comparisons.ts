import { Inject, Injectable } from '@nestjs/common';
import type { ExplainedChange } from '../../forecasting/index.js';
import { readForecastDetails } from '../../forecasts/index.js';
import { inBatches } from '../../platform/batches.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { EngineThreads } from '../engine/engine-threads.js';
import type { RunDto } from '../dto/run.dto.js';
import { newestMonthOf, scopeOf } from '../run.js';
import { engineSettings } from '../run-config.js';
import { readPooledModel } from '../runs.queries.js';
import type { ExplainTask, RunBasis } from './explain-pairs.js';
import { roundedChange } from './rounded-change.js';

/** Two completed runs of the same workspace. */
export interface RunPair {
  readonly organizationId: string;
  readonly current: RunDto;
  readonly prior: RunDto;
}

/** Explained changes by series id, before overrides. */
export type Explained = ReadonlyMap<string, ExplainedChange>;

/** Series per thread task: half a second of work at most. */
const BATCH = 40;
/**
 * Number of series of finished comparisons to cache: two of the largest or many small ones, so that small ones do not evict a large
 * one before its planner requests it again. Entries stay valid, since a completed run never changes except for deleted series.
 */
const KEPT_SERIES = 20_000;

/** Replays the engine between two runs, in threads, and caches the latest comparisons of whole workspaces. */
@Injectable()
export class Comparisons {
  private readonly finished = new Map<string, Explained>();
  /** By organization: the comparison that is in progress or queued. */
  private readonly inProgress = new Map<string, { readonly key: string; readonly computed: Promise<Explained> }>();
  /** The most recently started comparison. The next one waits for it, which leaves threads for runs and for single pages. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly engine: EngineThreads,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Explains all of the series. Concurrent callers share one computation, and its result is cached.
   * @returns undefined while another comparison of the organization is in progress: each has at most one in the queue
   */
  whole(pair: RunPair, seriesIds: readonly string[]): Promise<Explained | undefined> {
    const { organizationId } = pair;
    const key = `${pair.current.id}/${pair.prior.id}`;
    const known = this.finished.get(key);
    if (known) return Promise.resolve(known);
    const begun = this.inProgress.get(organizationId);
    if (begun) return begun.key === key ? begun.computed : Promise.resolve(undefined);
    const computed = this.last
      .then(() => this.some(pair, seriesIds, true)) // patient: pages requested in the meantime must not make it fail
      .then((explained) => this.keep(key, explained))
      .finally(() => this.inProgress.delete(organizationId));
    this.inProgress.set(organizationId, { key, computed });
    this.last = computed.catch((error: unknown) => {
      // logged here, since the caller may be gone; a Problem only means that the process is shutting down
      if (!(error instanceof Problem)) this.logger.error({ err: error, runs: key }, 'a comparison of two runs failed');
    });
    return computed;
  }

  private keep(key: string, explained: Explained): Explained {
    this.finished.set(key, explained);
    let kept = [...this.finished.values()].reduce((series, one) => series + sizeOf(one), 0);
    for (const [oldest, one] of this.finished) {
      if (kept <= KEPT_SERIES) break;
      this.finished.delete(oldest);
      kept -= sizeOf(one);
    }
    return explained;
  }

  /**
   * Explains these series.
   * @param patient whether each task waits for a slot as long as it takes
   * @throws {Problem} 503 `not_ready` if no slot frees up in time
   */
  async some(pair: RunPair, seriesIds: readonly string[], patient = false): Promise<Explained> {
    const [prior, current] = [await this.basis(pair, pair.prior), await this.basis(pair, pair.current)];
    const explained = new Map<string, ExplainedChange>();
    if (!prior || !current) return explained;
    for (const ids of inBatches(seriesIds, BATCH * this.engine.threads)) {
      const pairs = await this.read(pair, ids);
      const tasks = inBatches(pairs, BATCH).map((series) => this.engine.explain({ prior, current, series }, patient));
      const results = await Promise.all(tasks);
      results
        .flat()
        .forEach((change, index) => explained.set(pairs[index]!.current.forecast.id, roundedChange(change)));
    }
    return explained;
  }

  private async basis(pair: RunPair, run: RunDto): Promise<RunBasis | undefined> {
    const pooled = await readPooledModel(this.database, scopeOf(pair, run));
    return pooled && { pooled, settings: engineSettings(run.config), newestMonth: newestMonthOf(run) };
  }

  private async read(pair: RunPair, ids: readonly string[]): Promise<ExplainTask['series']> {
    const details = (run: RunDto) => readForecastDetails(this.database, scopeOf(pair, run), ids, { tested: false });
    const before = await details(pair.prior);
    const after = await details(pair.current);
    return [...after].flatMap(([seriesId, current]) => {
      const prior = before.get(seriesId);
      return prior ? [{ prior, current }] : [];
    });
  }
}

/** How much a comparison counts toward {@link KEPT_SERIES}: at least one, even if empty. */
const sizeOf = (explained: Explained): number => Math.max(1, explained.size);
