import type { Queryable, Transaction } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import { requireById } from '../platform/http/require-by-id.js';
import { holdWorkspace } from '../series/index.js';
import type { ShownConnector, StoredConnector } from './connector.js';
import { findConnector, findShownConnector } from './connectors.queries.js';

/** @throws {Problem} 404 if the workspace has no such connector */
export function requireConnector(db: Queryable, tenant: WorkspaceTenant, id: string): Promise<StoredConnector> {
  return requireById('connector', id, () => findConnector(db, tenant, id));
}

/** The same, as members see it. @throws {Problem} 404 */
export function requireShownConnector(db: Queryable, tenant: WorkspaceTenant, id: string): Promise<ShownConnector> {
  return requireById('connector', id, () => findShownConnector(db, tenant, id));
}

/** As {@link requireConnector}, locked until the transaction ends. @throws {Problem} 404 */
export async function holdConnector(tx: Transaction, tenant: WorkspaceTenant, id: string): Promise<StoredConnector> {
  await holdWorkspace(tx, tenant);
  return requireById('connector', id, () => findConnector(tx, tenant, id, 'lock'));
}
