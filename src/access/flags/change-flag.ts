import type { Transaction } from '../../platform/database/database.js';
import type { AuditActor } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { type FlagName, type FlagRow, setFlag } from './flags.queries.js';

export interface FlagSwitch {
  readonly name: FlagName;
  readonly enabled: boolean;
  readonly reason: string | null;
  readonly actor: AuditActor;
  readonly now: Date;
}

/** Switches a flag of the platform and notes who did it and why. */
export async function changeFlag(tx: Transaction, change: FlagSwitch): Promise<FlagRow> {
  const { name, enabled, reason, actor, now } = change;
  const flag = await setFlag(tx, { name, enabled, reason, changedBy: actor.name, now });
  await recordAudit(tx, {
    organizationId: null,
    actor,
    action: 'flag.changed',
    target: { kind: 'flag', id: name },
    details: { enabled, reason },
    occurredAt: now,
  });
  return flag;
}
