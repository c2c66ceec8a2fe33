import type { Transaction } from '../../platform/database/database.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { type Flag, type FlagName, listAllFlags, setFlag } from './flags.queries.js';

export interface FlagChange extends Attribution {
  readonly name: FlagName;
  readonly enabled: boolean;
  readonly reason: string | null;
}

/** Switches a platform flag and records who did it and why. A flag that is already so is returned as it is. */
export async function changeFlag(tx: Transaction, { name, enabled, reason, actor, now }: FlagChange): Promise<Flag> {
  const same = (await listAllFlags(tx)).find(
    (known) => known.name === name && known.enabled === enabled && known.reason === reason,
  );
  if (same !== undefined) return same;
  const flag = { name, enabled, reason, changed_by: actor.name, changed_at: now };
  await setFlag(tx, flag);
  await recordAudit(tx, {
    organizationId: null,
    actor,
    action: 'flag.changed',
    target: { kind: 'flag', id: name },
    details: { enabled, reason },
    now,
  });
  return flag;
}
