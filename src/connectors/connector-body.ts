import type { LastSync, ReconnectReason, ShownConnector, ShownOrderSetAside } from './connector.js';
import { shownFields } from './fields.js';
import type { FieldValues } from './field.js';
import type { PlatformName } from './platforms/platform.js';
import { PLATFORMS } from './platforms/registry.js';

/** A connector, as the API returns it. */
export interface ConnectorBody {
  readonly id: string;
  readonly workspace_id: string;
  readonly platform: PlatformName;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly time_zone: string;
  readonly counts_from: string;
  readonly sync_interval_minutes: number;
  readonly enabled: boolean;
  readonly needs_reconnect: boolean;
  readonly reconnect_reason: ReconnectReason | null;
  readonly webhook_url: string | null;
  readonly next_sync_at: Date | null;
  readonly last_synced_at: Date | null;
  /** The newest sync, whether in progress or ended. */
  readonly last_sync: LastSyncBody | null;
  readonly products_left_out: number;
  readonly orders_set_aside: readonly OrderSetAsideBody[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface LastSyncBody extends Pick<LastSync, 'status' | 'error'> {
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface OrderSetAsideBody extends Pick<ShownOrderSetAside, 'id' | 'code' | 'message'> {
  readonly since: Date;
  readonly last_tried_at: Date;
}

/** Result of a minimal request that verifies the credentials. */
export type TestResult =
  | { readonly ok: true; readonly account: string; readonly code: null; readonly message: string | null }
  | { readonly ok: false; readonly account: null; readonly code: string; readonly message: string };

/** @param publicUrl where platforms reach the service; without it, webhooks are unavailable */
export function toBody(connector: ShownConnector, secrets: FieldValues, publicUrl: string | undefined): ConnectorBody {
  const platform = PLATFORMS[connector.platform];
  const { connectorId, reconnectReason } = connector;
  return {
    id: connectorId,
    workspace_id: connector.workspaceId,
    platform: connector.platform,
    name: connector.name,
    settings: shownFields(platform, connector.settings, secrets),
    time_zone: connector.timeZone,
    counts_from: connector.countsFrom,
    sync_interval_minutes: connector.intervalMinutes,
    enabled: connector.enabled,
    needs_reconnect: reconnectReason !== null,
    reconnect_reason: reconnectReason,
    webhook_url:
      platform.webhook && publicUrl !== undefined
        ? `${publicUrl}/webhooks/connectors/${platform.name}/${connectorId}`
        : null,
    next_sync_at: connector.nextSyncAt,
    last_synced_at: connector.lastSyncedAt,
    last_sync: connector.lastSync && lastSyncBody(connector.lastSync),
    products_left_out: connector.productsLeftOut,
    orders_set_aside: connector.ordersSetAside.map((order) => ({
      ...order,
      since: new Date(order.since),
      last_tried_at: new Date(order.last_tried_at),
    })),
    created_at: connector.createdAt,
    updated_at: connector.updatedAt,
  };
}

function lastSyncBody({ started_at, finished_at, ...sync }: LastSync): LastSyncBody {
  return {
    ...sync,
    started_at: started_at === null ? null : new Date(started_at),
    finished_at: finished_at === null ? null : new Date(finished_at),
  };
}
