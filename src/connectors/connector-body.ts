import type { LastSync, ShownConnector } from './connector.js';
import type { FieldValues } from './credentials/field.js';
import { shownFields } from './credentials/read-fields.js';
import type { ConnectorDto, LastSyncDto } from './dto/connector.dto.js';
import { PLATFORMS } from './platforms/registry.js';

/** A connector, as the API returns it. @param publicUrl where platforms reach the service; without it, webhooks are unavailable */
export function toBody(connector: ShownConnector, secrets: FieldValues, publicUrl: string | undefined): ConnectorDto {
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

function lastSyncBody({ started_at, finished_at, ...sync }: LastSync): LastSyncDto {
  return {
    ...sync,
    started_at: started_at === null ? null : new Date(started_at),
    finished_at: finished_at === null ? null : new Date(finished_at),
  };
}
