import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference, workspaceReference } from '../access/organizations/organizations.entities.js';
import { instant, text } from '../platform/database/columns.js';
import { seriesReference } from '../series/series.entities.js';
import { RunScheduleEntity } from './schedule/schedule.entities.js';

/** A run. PostgreSQL is the source of truth; the queue only wakes workers (docs/architecture.md). */
export const RunEntity = defineEntity({
  name: 'Run',
  tableName: 'runs',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    status: text(),
    trigger: text(),
    /** Effective configuration with every field set. `json`, not `jsonb`: replies preserve key order. */
    config: p.json().columnType('json'),
    billed: text(),
    seriesTotal: p.integer().default(0),
    seriesDone: p.integer().default(0),
    chunksTotal: p.integer().nullable(),
    chunksDone: p.integer().default(0),
    /** What the engine learned across the workspace; computed once and passed to every chunk. */
    pooled: p.json().nullable(),
    /** Version of the workspace's demand at its start; null in runs of releases up to 0.27.0. */
    demandVersion: p.integer().nullable(),
    /** Last month that the run learns from; fixed by its plan for all chunks. */
    lastMonth: p.integer().nullable(),
    /** The month after it, left out because its last days are missing; reported in the run's metrics. */
    incompleteMonth: p.integer().nullable(),
    /** Days of its last months that were probably not uploaded; fixed by the plan, reported in the metrics. */
    missingDays: p.json().nullable(),
    /** Identifiers in the request that match no series; fixed by the plan, reported in the metrics. */
    unknownSeries: p.array<string>().columnType('text[]').nullable(),
    metrics: p.json().columnType('json').nullable(),
    /** Backtest errors of all series together, for safety stock. */
    errorPool: p.json().nullable(),
    /** Totals by category, stored along with safety stock; null for more than a thousand. */
    totals: p.json().nullable(),
    /** Version of the formula with which the safety stock of all its series is stored (stock/formula.ts); null if it is not. */
    stockFormula: p.smallint().nullable(),
    /** Version of the workspace's stock targets that it is stored for. */
    stockTargetVersion: p.integer().nullable(),
    errorCode: text().nullable(),
    errorMessage: text().nullable(),
    createdAt: instant(),
    startedAt: instant().nullable(),
    finishedAt: instant().nullable(),
    ...leaseColumns(),
  },
  indexes: [
    { name: 'runs_listing', properties: ['organization', 'createdAt', 'id'] },
    {
      name: 'runs_recent',
      columns: [{ name: 'organization_id' }, { name: 'finished_at', sort: 'DESC', nulls: 'LAST' }, { name: 'id' }],
    },
    { name: 'runs_workspace', properties: ['workspace', 'finishedAt', 'id'] },
    {
      name: 'runs_latest',
      expression: `CREATE INDEX runs_latest ON runs (workspace_id, (config->>'cutoff' IS NULL AND config->>'series' IS NULL), finished_at, id) WHERE status = 'completed'`,
    },
    { name: 'runs_due', properties: ['wakeAt'], where: `status IN ('queued', 'running')` },
  ],
});

/** A subset of a run's series: the unit that workers lease, compute and commit. */
export const RunChunkEntity = defineEntity({
  name: 'RunChunk',
  tableName: 'run_chunks',
  properties: {
    run: p.manyToOne(RunEntity).mapToPk().fieldName('run_id').deleteRule('cascade').index(false).primary(),
    position: p.integer().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    done: p.boolean().default(false),
    seriesIds: p.array<string>().columnType('uuid[]'),
    /** The chunk's accuracy sums, counts by model and pattern, skipped series; merged when the run completes. */
    summary: p.json().nullable(),
    /** Alerts, trends and backtest errors to be merged when the run completes. */
    findings: p.json().nullable(),
    /** Position in the order of all free chunks, across runs. */
    turnAt: p.datetime().columnType('timestamptz').defaultRaw('clock_timestamp()'),
    ...leaseColumns(),
  },
  indexes: [
    { name: 'run_chunks_free', properties: ['turnAt'], where: 'NOT done' },
    { name: 'run_chunks_workspace', properties: ['workspace'] },
  ],
});

/** Safety stock of a run's series for their targets (stock/safety-stocks.ts); incomplete until the run's `stockFormula` is set. */
const SafetyStockEntity = defineEntity({
  name: 'SafetyStock',
  tableName: 'safety_stocks',
  properties: {
    series: seriesReference().primary(),
    run: p.manyToOne(RunEntity).mapToPk().fieldName('run_id').deleteRule('cascade').index(false).primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    safetyStock: p.double(),
    reorderPoint: p.double(),
    leadTimeDemand: p.double(),
    leadTimeDemandSigma: p.double(),
    /** The target that it is for. */
    leadTime: p.double().default(1),
    leadTimeSd: p.double().default(0),
    serviceLevel: p.double().default(0.95),
    undershoot: p.double().nullable(),
    /** Version of the workspace's stock targets when it was computed. */
    stockTargetVersion: p.integer().default(0),
    method: text(),
    demandPattern: text(),
    /** The run's own warnings about it, as sentences; null if there are none. */
    warnings: text().nullable(),
  },
  indexes: [
    { name: 'safety_stocks_feed', properties: ['organization', 'series'] },
    { name: 'safety_stocks_run', properties: ['run'] },
    { name: 'safety_stocks_workspace', properties: ['workspace'] },
  ],
});

/** Who works on it, under which epoch and until when. */
function leaseColumns() {
  return {
    leaseOwner: p.uuid().nullable(),
    leaseEpoch: p.integer().default(0),
    leaseExpiresAt: p.datetime().columnType('timestamptz').nullable(),
    /** When others may lease it: at the end of the lease, or of a pause after a failure. */
    wakeAt: p.datetime().columnType('timestamptz').defaultRaw('clock_timestamp()'),
    /** Attempts that ended in an error (not those whose worker died). */
    failures: p.integer().default(0),
  };
}

export const RUN_ENTITIES = [RunEntity, RunChunkEntity, RunScheduleEntity, SafetyStockEntity];
