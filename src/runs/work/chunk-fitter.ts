import { Inject, Injectable } from '@nestjs/common';
import type { MonthNumber, SeriesResult } from '../../forecasting/index.js';
import { type ForecastRecord, storeForecasts } from '../../forecasts/index.js';
import { Database } from '../../platform/database/database.js';
import { LeaseLost } from '../../platform/work/heartbeat.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import {
  findHistoryEnd,
  holdWorkspaceAtOnce,
  lockWorkspace,
  type MonthlyHistory,
  streamMonthlyHistories,
} from '../../series/index.js';
import { completeRun } from '../end/complete-run.js';
import { toDemandHistory } from '../engine/demand-history.js';
import { EngineThreads } from '../engine/engine-threads.js';
import { RunInstruments } from '../monitoring/run-instruments.js';
import { RunEvents } from '../monitoring/run-events.js';
import { cutoff, engineSettings } from '../run-config.js';
import { StockAhead } from '../stock/stock-ahead.js';
import { type RunResult, summarizeChunk } from './chunk-summary.js';
import { type ChunkResult, completeChunk, readPooled } from './commits.queries.js';
import type { LeasedChunk } from './leases.queries.js';

/** Forecasts the series of a chunk and commits them exactly once, even if several workers try. */
@Injectable()
export class ChunkFitter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly engine: EngineThreads,
    private readonly events: RunEvents,
    private readonly instruments: RunInstruments,
    private readonly stockAhead: StockAhead,
  ) {}

  /** @param lost whether another worker holds the lease by now: the result would be rejected */
  async fit(chunk: LeasedChunk, lost: () => boolean): Promise<void> {
    const { runId, seriesIds, config, demandVersion } = chunk;
    const lastMonth = chunk.lastMonth ?? (await this.lastMonthUnplanned(chunk));
    const read: MonthlyHistory[] = [];
    // the same version in all chunks, whatever is replaced while the run computes: else demand would count twice, or not at all
    for await (const batch of streamMonthlyHistories(this.database, chunk, { seriesIds, lastMonth, demandVersion })) {
      read.push(...batch);
    }
    const pooled = await readPooled(this.database, runId);
    if (pooled === undefined) return; // the run has ended
    const histories = read.map(toDemandHistory);
    const {
      results: fitted,
      findings,
      errorPool,
    } = await this.engine.fit({
      histories,
      important: new Set(read.flatMap(({ seriesId, important }) => (important ? [seriesId] : []))),
      pooled: { runId, json: pooled },
      settings: engineSettings(config),
      latestMonth: lastMonth,
    });
    if (lost()) return this.instruments.lostLeases.inc({ work: 'chunk' });
    const results = fitted.map((result, at) => unlessReplaced(result, read[at]!));
    const records = results.flatMap((result, at): ForecastRecord[] => {
      const { uniqueId, orderSizes } = read[at]!;
      return result.kind === 'forecast' ? [{ forecast: result, uniqueId, history: histories[at]!, orderSizes }] : [];
    });
    const uniqueIds = new Map(read.map(({ seriesId, uniqueId }) => [seriesId, uniqueId]));
    const days = read.flatMap(({ lastDay }) => lastDay ?? []);
    const summary = summarizeChunk(results, uniqueIds, {
      month: read.length > 0 ? lastMonth : null,
      day: days.length > 0 ? Math.max(...days) : null,
    });
    await this.commit(chunk, records, {
      seriesCount: seriesIds.length,
      summary,
      findings: { series: findings, errorPool },
    });
  }

  /** For a run planned by an earlier release: its other chunks used an incomplete month as it was. */
  private async lastMonthUnplanned(chunk: LeasedChunk): Promise<MonthNumber> {
    const { lastMonth, incompleteMonth } = await findHistoryEnd(this.database, chunk, cutoff(chunk.config));
    return incompleteMonth ?? lastMonth;
  }

  private async commit(chunk: LeasedChunk, records: readonly ForecastRecord[], result: ChunkResult): Promise<void> {
    try {
      const last = await this.database.transaction(async (tx) => {
        await holdWorkspaceAtOnce(tx, chunk);
        // first of all: this locks run and chunk until the commit, so a worker that lost its lease waits here and is rejected
        const completed = await completeChunk(tx, chunk, result);
        if (!completed) throw new LeaseLost();
        // one completion at a time; before storing forecasts, which locks their series: deleting a series also locks the workspace
        // first
        if (completed.last) await lockWorkspace(tx, chunk);
        await storeForecasts(tx, chunk, records);
        if (completed.last) await completeRun(tx, chunk);
        return completed.last;
      });
      this.instruments.series.inc({ outcome: 'forecast' }, records.length);
      this.instruments.series.inc({ outcome: 'skipped' }, result.seriesCount - records.length);
      if (last) {
        await this.events.report('completed', chunk);
        await this.stockAhead.complete(chunk);
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.instruments.lostLeases.inc({ work: 'chunk' });
      this.logger.debug({ run_id: chunk.runId, chunk: chunk.position }, 'a chunk was finished by another worker');
    }
  }
}

/** Without demand of its own, a series that another has replaced is skipped anyway: here the reason becomes the right one. */
function unlessReplaced(result: SeriesResult, { seriesId, replacedBy }: MonthlyHistory): RunResult {
  if (replacedBy === null) return result;
  const detail = `Its demand counts for ${JSON.stringify(replacedBy)}, which has replaced it.`;
  return { kind: 'skipped', id: seriesId, reason: 'replaced', detail };
}
