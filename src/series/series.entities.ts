import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference, workspaceReference } from '../access/organizations/organizations.entities.js';
import { instant, text } from '../platform/database/columns.js';

/** A product, or anything else whose demand is counted, under the customer's own identifier. */
export const SeriesEntity = defineEntity({
  name: 'Series',
  tableName: 'series',
  properties: {
    id: p.uuid().primary(),
    /** The workspace's. No foreign key of its own, so that each new series costs one check instead of two. */
    organizationId: p.uuid(),
    workspace: workspaceReference(),
    /** Collation C, so that lists and files have the same order on every server. */
    uniqueId: text().collation('C'),
    productName: text().nullable(),
    category: text().nullable(),
    unit: text().nullable(),
    metadata: p.json().defaultRaw(`'{}'`),
    /** Flagged by a planner: shifts of its demand are reported earlier, at the price of more false alarms. */
    important: p.boolean().default(false),
    /** Months from order to delivery, their standard deviation, and the cycle service level; null for the default. */
    leadTimeMonths: p.double().nullable(),
    leadTimeSdMonths: p.double().nullable(),
    targetServiceLevel: p.double().nullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  uniques: [{ name: 'series_unique_id', properties: ['workspace', 'uniqueId'] }],
  indexes: [{ name: 'series_listing', properties: ['workspace', 'id'] }],
  triggers: [
    {
      name: 'series_remove_demand',
      timing: 'after',
      events: ['delete'],
      forEach: 'statement',
      expression:
        '-- created by the migrations 0003-series and 0144-removed-connectors: transition tables are beyond the ORM',
    },
  ],
});

/** Reference to a series; rows are deleted along with it. */
export const seriesReference = () =>
  p.manyToOne(SeriesEntity).mapToPk().fieldName('series_id').deleteRule('cascade').index(false);

/** A series that another one has replaced. */
export const SuccessionEntity = defineEntity({
  name: 'Succession',
  tableName: 'successions',
  properties: {
    series: seriesReference().primary(),
    successor: p.manyToOne(SeriesEntity).mapToPk().fieldName('successor_id').deleteRule('cascade').index(false),
    /** The series'. No foreign keys of their own, since the row goes with its series. */
    organizationId: p.uuid(),
    workspaceId: p.uuid(),
    /** That of the workspace from this change on: runs that began before do not know it. */
    demandVersion: p.integer(),
  },
  indexes: [{ name: 'successions_successor', properties: ['successor'] }],
});

/** A succession that was undone or changed, for runs that began while it held. */
export const EndedSuccessionEntity = defineEntity({
  name: 'EndedSuccession',
  tableName: 'ended_successions',
  properties: {
    series: seriesReference().primary(),
    /** Those of the workspace from which, and from which no longer, it held. */
    demandVersion: p.integer().primary(),
    endedVersion: p.integer(),
    successor: p.manyToOne(SeriesEntity).mapToPk().fieldName('successor_id').deleteRule('cascade').index(false),
    organizationId: p.uuid(),
    workspaceId: p.uuid(),
  },
  indexes: [{ name: 'ended_successions_successor', properties: ['successor'] }],
});

/**
 * Demand by day, one row per series and year. A trigger deletes it along with its series: a foreign key would be checked row by row, which
 * doubles the time of an upload (docs/decisions/0003-demand-storage.md).
 */
export const DemandEntity = defineEntity({
  name: 'Demand',
  tableName: 'demand',
  properties: {
    seriesId: p.uuid().primary(),
    year: p.smallint().primary(),
    organizationId: p.uuid(),
    workspaceId: p.uuid(),
    /** Bit m is set if calendar month m (0 = January) has a value. */
    observedMonths: p.smallint(),
    /** Bit m is set if calendar month m is a single figure, stored on its first day, rather than a sum of days. */
    monthFigures: p.smallint().default(0),
    /** Days with a value, ascending. */
    days: p.array().columnType('date[]'),
    /** Demand on each of the days. */
    quantities: p.array().columnType('float8[]'),
  },
  indexes: [{ name: 'demand_workspace', properties: ['workspaceId', 'year'] }],
});

/** An upload of demand and its outcome. */
export const ImportEntity = defineEntity({
  name: 'Import',
  tableName: 'imports',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    /** `receiving`, `processing`, `completed` or `failed`. */
    state: text(),
    /** `api` or `app`. */
    origin: text(),
    /** `csv`, `json` or `ndjson`. */
    format: text(),
    fill: text().nullable(),
    /** Decimal mark of a CSV file, if its sender specified it: `point` or `comma`. */
    decimal: text().nullable(),
    byteCount: p.bigint().defaultRaw('0'),
    /** How often processing has begun; an upload that keeps crashing the process is given up. */
    attempts: p.integer().default(0),
    /** Attempts that were not counted because the database connection was lost. */
    brokenOff: p.integer().default(0),
    /** Start of the latest attempt. */
    begunAt: instant().nullable(),
    report: p.json().nullable(),
    error: p.json().nullable(),
    createdAt: instant(),
    finishedAt: instant().nullable(),
  },
  indexes: [
    { name: 'imports_listing', properties: ['workspace', 'id'] },
    { name: 'imports_state', properties: ['state', 'id'] },
  ],
});

/** Body of an upload that is processed after the response, as received; deleted when processing ends. */
export const ImportChunkEntity = defineEntity({
  name: 'ImportChunk',
  tableName: 'import_chunks',
  properties: {
    import: p.manyToOne(ImportEntity).mapToPk().fieldName('import_id').deleteRule('cascade').index(false).primary(),
    position: p.integer().primary(),
    organization: organizationReference(),
    bytes: p.blob(),
  },
  indexes: [{ name: 'import_chunks_organization', properties: ['organization'] }],
});

/**
 * How far a running import has been read. In a row of its own, since the import's row is locked while its demand is stored; deleted when
 * processing ends.
 */
export const ImportProgressEntity = defineEntity({
  name: 'ImportProgress',
  tableName: 'import_progress',
  properties: {
    import: p.manyToOne(ImportEntity).mapToPk().fieldName('import_id').deleteRule('cascade').index(false).primary(),
    /** The import's, with which the row is deleted. */
    organizationId: p.uuid(),
    rowsRead: p.integer(),
  },
});

/**
 * A planner's override of one month of a series. A row is only ever modified to end it, so the table is the history; the row without an end
 * is in force until it expires.
 */
export const OverrideEntity = defineEntity({
  name: 'Override',
  tableName: 'overrides',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    series: seriesReference(),
    month: p.date(),
    /** `absolute`, `delta` or `percent`. */
    kind: text(),
    value: p.double(),
    reason: text(),
    author: text(),
    createdAt: instant(),
    expiresAt: instant().nullable(),
    endedAt: instant().nullable(),
    endedBy: text().nullable(),
  },
  indexes: [
    { name: 'overrides_listing', properties: ['workspace', 'id'] },
    { name: 'overrides_series', properties: ['series', 'month'] },
  ],
});

export const SERIES_ENTITIES = [
  SeriesEntity,
  SuccessionEntity,
  EndedSuccessionEntity,
  DemandEntity,
  ImportEntity,
  ImportChunkEntity,
  ImportProgressEntity,
  OverrideEntity,
];
