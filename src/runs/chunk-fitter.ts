import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import type { DemandHistory } from '../forecasting/index.js';
import { type ForecastRecord, storeForecasts } from '../forecasts/index.js';
import { Database } from '../platform/database/database.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SETTINGS } from '../platform/platform.module.js';
import { holdWorkspace, lastHistoryMonth, streamMonthlyHistories } from '../series/index.js';
import { type ChunkSummary, summarizeChunk } from './chunk-summary.js';
import { toDemandHistory } from './fit/demand-history.js';
import { FitPool } from './fit/fit-pool.js';
import { withHeartbeat } from '../platform/heartbeat.js';
import { concludeRun } from './run-completion.js';
import { cutoff, engineSettings } from './run-config.js';
import { RunLog } from './run-log.js';
import { RunInstruments } from './run-instruments.js';
import { type LeasedChunk, renewChunkLease } from './run-leases.queries.js';
import { type ChunkFindings, completeChunk, readPooled } from './run-protocol.queries.js';

/** Thrown inside the committing transaction when the lease is gone: rolls everything back. */
class LeaseLost extends Error {}

/** Forecasts the series of one chunk and commits them, once, whoever else tries. */
@Injectable()
export class ChunkFitter {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly pool: FitPool,
    private readonly log: RunLog,
    private readonly instruments: RunInstruments,
  ) {}

  async fit(chunk: LeasedChunk): Promise<void> {
    const { runId } = chunk;
    const leaseMs = this.settings.RUN_LEASE_MS;
    const renew = (): Promise<boolean> => renewChunkLease(this.database, chunk, leaseMs);
    await withHeartbeat(renew, leaseMs / 4, async (lost) => {
      const tenant = { organizationId: chunk.organizationId, workspaceId: chunk.workspaceId };
      const histories: DemandHistory[] = [];
      const uniqueIds = new Map<string, string>();
      const important = new Set<string>();
      const lastMonth = chunk.lastMonth ?? (await lastHistoryMonth(this.database, tenant, cutoff(chunk.config)));
      for await (const batch of streamMonthlyHistories(this.database, tenant, {
        seriesIds: chunk.seriesIds,
        lastMonth,
      })) {
        for (const history of batch) {
          histories.push(toDemandHistory(history));
          uniqueIds.set(history.seriesId, history.uniqueId);
          if (history.important) important.add(history.seriesId);
        }
      }
      const pooled = await readPooled(this.database, runId);
      if (pooled === undefined) return; // the run has ended
      const settings = engineSettings(chunk.config);
      const { results, findings, errorPool } = await this.pool.fit({
        histories,
        important,
        pooled: { runId, json: pooled },
        settings,
        latestMonth: lastMonth,
      });
      if (lost()) return this.instruments.lostLeases.inc({ work: 'chunk' });
      const byId = new Map(histories.map((history) => [history.id, history]));
      const records = results.flatMap((result): ForecastRecord[] =>
        result.kind === 'forecast'
          ? [{ forecast: result, uniqueId: uniqueIds.get(result.id)!, history: byId.get(result.id)! }]
          : [],
      );
      const summary = summarizeChunk(results, uniqueIds, histories.length > 0 ? lastMonth : null);
      await this.commit(chunk, records, summary, { series: findings, errorPool });
    });
  }

  private async commit(
    chunk: LeasedChunk,
    records: readonly ForecastRecord[],
    summary: ChunkSummary,
    findings: ChunkFindings,
  ): Promise<void> {
    const { runId, position } = chunk;
    const run = { organizationId: chunk.organizationId, workspaceId: chunk.workspaceId, runId };
    const result = { series: chunk.seriesIds.length, summary, findings };
    try {
      const last = await this.database.transaction(async (tx) => {
        await holdWorkspace(tx, run);
        // before anything is stored: run and chunk are locked until commit, so a zombie waits here and finds its epoch gone
        const completed = await completeChunk(tx, chunk, result);
        if (!completed) throw new LeaseLost();
        await storeForecasts(tx, run, records);
        if (completed.last) await concludeRun(tx, { ...run, config: chunk.config });
        return completed.last;
      });
      this.instruments.series.inc({ outcome: 'forecast' }, records.length);
      this.instruments.series.inc({ outcome: 'skipped' }, result.series - records.length);
      if (last) await this.log.tell('completed', run);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.instruments.lostLeases.inc({ work: 'chunk' });
      this.logger.debug({ run_id: runId, chunk: position }, 'a chunk was finished by another worker');
    }
  }
}
