import type { CheckName } from '../../../config/soc2.js';
import { type AuditActor, recordAudit } from '../../access/index.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/database.js';
import type { EvidenceBody } from '../dto/registers.dto.js';
import type { Trigger } from './evidence.js';
import { type Installation } from './installation.js';
import { runChecks } from './run-checks.js';

/** Who requested checks, and which ones; all if none are named. */
export interface CheckRequest {
  readonly actor: AuditActor;
  readonly trigger: Exclude<Trigger, 'schedule'>;
  readonly names?: readonly CheckName[] | undefined;
}

/**
 * Runs checks on request and records that in the audit log of the platform.
 * @returns undefined while another process is running them
 */
export async function runChecksFor(
  database: Database,
  clock: Clock,
  installation: Installation,
  { actor, ...request }: CheckRequest,
): Promise<EvidenceBody[] | undefined> {
  const found = await runChecks(database, clock, installation, request);
  if (found === undefined) return undefined;
  await database.transaction((tx) =>
    recordAudit(tx, {
      organizationId: null,
      actor,
      action: 'compliance.checked',
      target: { kind: 'soc2', id: 'checks' },
      details: { checks: found.map(({ check, status }) => ({ check, status })) },
      now: clock.now(),
    }),
  );
  return found;
}
