import type { Queryable, Transaction } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import { Problem } from '../platform/http/problem.js';
import { isId } from '../platform/ids.js';
import { holdWorkspace } from '../series/index.js';
import type { ShownConnector, StoredConnector } from './connector.js';
import { findConnector, findShownConnector } from './connectors.queries.js';

/** @throws {Problem} 404 where the workspace has no such connector */
export async function requireConnector(db: Queryable, tenant: WorkspaceTenant, id: string): Promise<StoredConnector> {
  return found(isId(id) ? await findConnector(db, tenant, id) : undefined);
}

/** The same, as members see it. @throws {Problem} 404 */
export async function requireShownConnector(
  db: Queryable,
  tenant: WorkspaceTenant,
  id: string,
): Promise<ShownConnector> {
  return found(isId(id) ? await findShownConnector(db, tenant, id) : undefined);
}

/** The same, kept from being changed or removed until the transaction ends. @throws {Problem} 404 */
export async function holdConnector(tx: Transaction, tenant: WorkspaceTenant, id: string): Promise<StoredConnector> {
  await holdWorkspace(tx, tenant);
  return found(isId(id) ? await findConnector(tx, tenant, id, 'lock') : undefined);
}

function found<Connector>(connector: Connector | undefined): Connector {
  if (!connector) throw Problem.notFound('connector');
  return connector;
}
