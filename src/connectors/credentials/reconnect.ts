import { Injectable } from '@nestjs/common';
import { type AuditAction, type AuditActor, OrganizationMails, recordAudit } from '../../access/index.js';
import type { Transaction } from '../../platform/database/database.js';
import type { ConnectorTenant, StoredConnector } from '../connector.js';
import type { PlatformFault } from '../platform-fault.js';
import { clearReconnect, noteReconnect } from './reconnect.queries.js';

const ACTOR: AuditActor = { kind: 'system', id: null, name: 'connectors', address: null };

/** Records whether the credentials of connectors work, and notifies those who can enter new ones. */
@Injectable()
export class Reconnect {
  constructor(private readonly mails: OrganizationMails) {}

  /**
   * Records that the credentials do not work: they are not used again until a member tests or changes them.
   * @param connector as of when the credentials were read
   */
  async ask(tx: Transaction, connector: StoredConnector, { code, message }: PlatformFault, now: Date): Promise<void> {
    const news = await noteReconnect(tx, connector, { code, message, since: now.toISOString() });
    if (news === undefined) return;
    await record(tx, connector, 'connector.needs_reconnect', { code }, now);
    // if the credentials have never worked, whoever just entered them sees it in the response
    if (news === 'state' && connector.lastSyncedAt !== null) await this.notifyAdmins(tx, connector, message);
  }

  /** Records that the credentials work. */
  async noteWorking(tx: Transaction, connector: ConnectorTenant, now: Date): Promise<void> {
    if (await clearReconnect(tx, connector)) await record(tx, connector, 'connector.reconnected', {}, now);
  }

  private notifyAdmins(
    tx: Transaction,
    { organizationId, name, platform }: StoredConnector,
    why: string,
  ): Promise<void> {
    return this.mails.notify(tx, organizationId, {
      kind: 'connector_needs_reconnect',
      role: 'admin',
      compose: (organization) => ({
        subject: `The connector ${name} needs new credentials`,
        paragraphs: [
          `The connector ${name} (${platform}) of ${organization} can no longer connect: ${why}`,
          'Its demand is not updated until the credentials are updated, or a test of the connector succeeds.',
        ],
      }),
    });
  }
}

function record(
  tx: Transaction,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  action: AuditAction,
  details: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  return recordAudit(tx, {
    organizationId,
    actor: ACTOR,
    action,
    target: { kind: 'connector', id: connectorId },
    details: { workspace_id: workspaceId, ...details },
    now,
  });
}
