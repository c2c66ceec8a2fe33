import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference, workspaceReference } from '../access/organizations/organizations.entities.js';
import { instant, text } from '../platform/database/columns.js';

const OPEN = `status IN ('queued', 'running')`;

/** A connection to a shop, accounting or ERP system whose orders become demand. */
export const ConnectorEntity = defineEntity({
  name: 'Connector',
  tableName: 'connectors',
  properties: {
    id: p.uuid().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    /** A name of the platform registry. */
    platform: text(),
    /** The account that is read, normalized (account.ts): a workspace connects each account only once. */
    account: text(),
    name: text(),
    /** The platform's fields that are not secret. */
    settings: p.json(),
    /** The secret fields and the tokens issued for them, sealed for this connector. */
    sealed: p.blob(),
    /** IANA name; determines the day of an order. */
    timeZone: text(),
    /** Orders before this day are not counted. */
    countsFrom: p.date(),
    /**
     * Whether the demand counted by a former connector to the account still counts in place of the orders: until these have been read to
     * the end once (retired-demand.ts).
     */
    countsRetired: p.boolean().default(false),
    intervalMinutes: p.integer(),
    enabled: p.boolean().default(true),
    /** Code, message and instant, while the credentials do not work. */
    reconnectReason: p.json().nullable(),
    /** Incremented when a member has everything read again; orders are marked with it. */
    reading: p.integer().default(0),
    /** How far the platform has been read (sync-cursor.ts). */
    cursor: p.json().defaultRaw(`'{}'`),
    /** Null while there are no scheduled syncs: disabled, or waiting for new credentials. */
    nextSyncAt: instant().nullable(),
    lastSyncedAt: instant().nullable(),
    /** While a process renews the tokens: when its lease expires. */
    renewingUntil: instant().nullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  uniques: [{ name: 'connectors_account_once', properties: ['workspace', 'platform', 'account'] }],
  indexes: [
    { name: 'connectors_listing', properties: ['workspace', 'id'] },
    { name: 'connectors_due', properties: ['nextSyncAt'], where: 'next_sync_at IS NOT NULL' },
  ],
});

const connectorReference = () =>
  p.manyToOne(ConnectorEntity).mapToPk().fieldName('connector_id').deleteRule('cascade').index(false);

/** The tenant of the connector. No foreign keys of its own, since the rows are deleted with the connector. */
const ofConnector = () => ({ organizationId: p.uuid(), workspaceId: p.uuid() });

/** One reading of a platform, leased by the process that performs it. */
export const ConnectorSyncEntity = defineEntity({
  name: 'ConnectorSync',
  tableName: 'connector_syncs',
  properties: {
    id: p.uuid().primary(),
    ...ofConnector(),
    connector: connectorReference(),
    /** `queued`, `running`, `completed` or `failed`. */
    status: text(),
    /** `schedule` or `manual`. */
    trigger: text(),
    /** Whether it reads everything again, or continues such a reading. */
    isFull: p.boolean().default(false),
    pages: p.integer().default(0),
    ordersRead: p.integer().default(0),
    ordersChanged: p.integer().default(0),
    linesSkipped: p.integer().default(0),
    productsLeftOut: p.integer().default(0),
    ordersSetAside: p.integer().default(0),
    /** Consecutive faults since the last page that was read. */
    failures: p.integer().default(0),
    error: p.json().nullable(),
    /** When the sync may continue: in the future if the platform asked to wait, or after a fault. */
    wakeAt: instant(),
    leaseEpoch: p.integer().default(0),
    leaseExpiresAt: instant().nullable(),
    createdAt: instant(),
    startedAt: instant().nullable(),
    finishedAt: instant().nullable(),
  },
  uniques: [{ name: 'connector_syncs_open', properties: ['connector'], where: OPEN }],
  indexes: [
    { name: 'connector_syncs_listing', properties: ['connector', 'id'] },
    { name: 'connector_syncs_ended', properties: ['organizationId', 'finishedAt'] },
    { name: 'connector_syncs_due', properties: ['wakeAt'], where: OPEN },
  ],
});

/** The latest known version of an order, credit note or refund. */
export const ConnectorOrderEntity = defineEntity({
  name: 'ConnectorOrder',
  tableName: 'connector_orders',
  properties: {
    connector: connectorReference().primary(),
    externalId: text().collation('C').primary(),
    ...ofConnector(),
    /** When it was last changed, according to the platform. */
    version: p.datetime().columnType('timestamptz'),
    day: p.date(),
    /** The reading of the connector in which the order was last seen. */
    reading: p.integer().default(0),
  },
});

/** The demand of an order: quantities after cancellations and refunds. */
export const ConnectorOrderLineEntity = defineEntity({
  name: 'ConnectorOrderLine',
  tableName: 'connector_order_lines',
  properties: {
    /** The connector's, rather than the order's: otherwise its removal would look for lines order by order. */
    connector: connectorReference().primary(),
    externalId: text().collation('C').primary(),
    position: p.integer().primary(),
    ...ofConnector(),
    /** The series'. */
    uniqueId: text().collation('C'),
    day: p.date(),
    quantity: p.double(),
  },
  indexes: [
    { name: 'connector_order_lines_demand', properties: ['workspaceId', 'uniqueId', 'day'] },
    {
      name: 'connector_order_lines_first',
      expression: 'CREATE INDEX connector_order_lines_first ON connector_order_lines (connector_id, unique_id, day)',
    },
  ],
});

/** A product whose orders are stored without being counted, since the plan allowed no more series when they arrived. */
export const ConnectorProductLeftOutEntity = defineEntity({
  name: 'ConnectorProductLeftOut',
  tableName: 'connector_products_left_out',
  properties: {
    connector: connectorReference().primary(),
    uniqueId: text().collation('C').primary(),
    ...ofConnector(),
    productName: text().nullable(),
  },
});

/** An order that could not be read: every sync tries it again, and what is stored of it counts meanwhile. */
export const ConnectorOrderSetAsideEntity = defineEntity({
  name: 'ConnectorOrderSetAside',
  tableName: 'connector_orders_set_aside',
  properties: {
    connector: connectorReference().primary(),
    externalId: text().collation('C').primary(),
    ...ofConnector(),
    /** Why it could not be read the last time, as in the error of a sync. */
    code: text(),
    message: text(),
    since: instant(),
    triedAt: instant(),
  },
});

/**
 * Demand counted by removed connectors, which still counts. Only of series that exist: a trigger deletes it along with its series, as it
 * does the demand.
 */
export const ConnectorRetiredDemandEntity = defineEntity({
  name: 'ConnectorRetiredDemand',
  tableName: 'connector_retired_demand',
  properties: {
    workspaceId: p.uuid().primary(),
    uniqueId: text().collation('C').primary(),
    day: p.date().primary(),
    platform: text().primary(),
    account: text().primary(),
    organizationId: p.uuid(),
    quantity: p.double(),
  },
});

/** A webhook notification, stored before it is acknowledged and processed afterwards. */
export const ConnectorDeliveryEntity = defineEntity({
  name: 'ConnectorDelivery',
  tableName: 'connector_deliveries',
  properties: {
    id: p.uuid().primary(),
    ...ofConnector(),
    connector: connectorReference(),
    /** The same for every redelivery of the notification. */
    key: text(),
    topic: text(),
    /** As received; deleted once processed, since orders contain personal data. */
    body: p.blob().nullable(),
    /** Result of the processing. */
    outcome: text().nullable(),
    attempts: p.integer().default(0),
    wakeAt: instant(),
    receivedAt: instant(),
    processedAt: instant().nullable(),
  },
  uniques: [{ name: 'connector_deliveries_once', properties: ['connector', 'key'] }],
  indexes: [
    { name: 'connector_deliveries_due', properties: ['wakeAt'], where: 'processed_at IS NULL' },
    { name: 'connector_deliveries_waiting', properties: ['connector', 'wakeAt'], where: 'processed_at IS NULL' },
  ],
});

export const CONNECTOR_ENTITIES = [
  ConnectorEntity,
  ConnectorSyncEntity,
  ConnectorOrderEntity,
  ConnectorOrderLineEntity,
  ConnectorProductLeftOutEntity,
  ConnectorOrderSetAsideEntity,
  ConnectorRetiredDemandEntity,
  ConnectorDeliveryEntity,
];
