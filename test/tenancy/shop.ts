import { seal } from '../../src/platform/crypto/sealed-box.js';
import { newId } from '../../src/platform/ids.js';
import { dayOf } from '../connectors/past-months.js';
import type { WooCommerceServer } from '../connectors/woocommerce-server.js';
import { eventually } from '../support/eventually.js';
import type { TestService } from '../support/test-service.js';

/** An account whose connector every workspace has removed. */
const RETIRED_ACCOUNT = 'retired.myshopify.com';

export interface ConnectorIds {
  /** Has synced, and works again since it was told to be reconnected. */
  readonly connector_id: string;
  /** Has keys that the shop refuses. */
  readonly refused_connector_id: string;
}

/** Connects the shop to a workspace and reads its orders. Nothing is due after. */
export async function connectShop(
  service: TestService,
  shop: WooCommerceServer,
  { organizationId, workspaceId }: { readonly organizationId: string; readonly workspaceId: string },
  name: string,
): Promise<ConnectorIds> {
  const [connectorId, refusedId] = [newId(), newId()];
  const { site_url, ...keys } = shop.settings;
  const insert = (id: string, account: string, secrets: Readonly<Record<string, string>>): Promise<number> =>
    service.database.execute(
      // as connected again and read before the last months, so that the sync sends also what replaces the demand of a former connector
      // and what counts documents dated ahead
      `INSERT INTO connectors (id, organization_id, workspace_id, platform, name, account, settings, sealed, time_zone, counts_from, counts_retired, cursor, interval_minutes, created_at, updated_at)
       VALUES ($1, $2, $3, 'woocommerce', $4, $5, $6, $7, 'UTC', '2026-01-01', true, '{"countedTo": "2026-01-31"}', 60, now(), now())`,
      [
        id,
        organizationId,
        workspaceId,
        name,
        account,
        JSON.stringify({ site_url, counted_statuses: 'completed,processing' }),
        sealedKeys(service, id, secrets),
      ],
    );
  await insert(connectorId, new URL(site_url).host, keys);
  await insert(refusedId, 'refused', { ...keys, consumer_secret: 'cs_of_somebody_else' });
  await service.database.execute(
    `INSERT INTO connector_products_left_out (organization_id, workspace_id, connector_id, unique_id)
     VALUES ($1, $2, $3, 'P0001')`,
    [organizationId, workspaceId, connectorId],
  );
  // can be read by now
  await service.database.execute(
    `INSERT INTO connector_orders_set_aside
       (organization_id, workspace_id, connector_id, external_id, code, message, since, tried_at)
     VALUES ($1, $2, $3, '1', 'malformed_reply', 'x', now(), now())`,
    [organizationId, workspaceId, connectorId],
  );
  await service.database.execute(`UPDATE connectors SET next_sync_at = now() WHERE id = $1`, [connectorId]);
  await eventually('the shop is read', async () => {
    const [connector] = await service.database.query<{ last_synced_at: Date | null }>(
      `SELECT last_synced_at FROM connectors WHERE id = $1`,
      [connectorId],
    );
    return connector?.last_synced_at ?? undefined;
  });
  await service.database.execute(
    `UPDATE connectors SET next_sync_at = NULL,
       reconnect_reason = '{"code": "credentials_refused", "message": "x", "since": "2026-11-01T00:00:00.000Z"}'
     WHERE id = $1`,
    [connectorId],
  );
  await service.database.execute(
    `INSERT INTO connector_syncs (id, organization_id, workspace_id, connector_id, status, trigger, lease_epoch, wake_at, created_at)
     VALUES ($1, $2, $3, $4, 'queued', 'manual', 1, now() + interval '1 day', now())`,
    [newId(), organizationId, workspaceId, connectorId],
  );
  await service.database.execute(
    `INSERT INTO connector_retired_demand (organization_id, workspace_id, platform, account, unique_id, day, quantity)
     VALUES ($1, $2, 'shopify', $3, 'P0000', $4, 1)`,
    [organizationId, workspaceId, RETIRED_ACCOUNT, dayOf(0, 1)],
  );
  return { connector_id: connectorId, refused_connector_id: refusedId };
}

/** Credentials of a connector as the service keeps them. */
export function sealedKeys(
  { secrets }: Pick<TestService, 'secrets'>,
  connectorId: string,
  values: Readonly<Record<string, string>>,
): Buffer {
  return seal(Buffer.from(JSON.stringify({ values, former: {} })), secrets.encryptionKey, connectorId);
}
