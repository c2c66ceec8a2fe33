import type { Command } from 'commander';
import { PLATFORM_CHAIN } from '../../access/audit/audit-event.js';
import { COMMAND_LINE } from '../actor.js';
import { type ChainReport, recordAudit, verifyAuditChain } from '../../access/audit/audit-log.js';
import { exportedEvents } from '../../access/audit/exported-events.js';
import { listChains, readChain, readHead } from '../../access/audit/audit.queries.js';
import { findOrganization } from '../../access/organizations/organizations.queries.js';
import type { Queryable } from '../../platform/database/database.js';
import { canonicalId, isId } from '../../platform/ids.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { FAILED, type Host } from '../host.js';
import { organizationOf } from '../input/lookups.js';
import { sequenceOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';

/** Recomputes every audit chain. */
async function verifyAuditCommand({ database }: AdminContext): Promise<(ChainReport & { chain: string })[]> {
  const reports = [];
  for (const chain of await listChains(database)) {
    const report = await verifyAuditChain(database, chain);
    reports.push({ chain: chain === PLATFORM_CHAIN ? 'platform' : chain, ...report });
  }
  return reports;
}

/** Number of events that a command lists. */
const LISTED = 1_000;

/**
 * Events of an organization (even a deleted one) or of the platform, in chain order. That they were read is recorded: in the
 * organization's log or, for a deleted one, whose log stays unchanged, in the platform's.
 */
function listAuditCommand(
  { database, now }: AdminContext,
  { organization, after = 0 }: { readonly organization?: string; readonly after?: number },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const chain = organization === undefined ? PLATFORM_CHAIN : await chainOf(tx, organization);
    const events = (await readChain(tx, chain, after, LISTED)).filter((event) => event !== undefined);
    await recordAudit(tx, {
      organizationId: (await findOrganization(tx, chain))?.id ?? null,
      actor: COMMAND_LINE,
      action: 'audit_log.exported',
      target: { kind: chain === PLATFORM_CHAIN ? 'platform' : 'organization', id: chain },
      details: exportedEvents(events.map(({ sequence }) => sequence)),
      now,
    });
    return events.map(({ organization_id: _chain, previous_hash: _previous, hash, ...event }) => ({
      ...event,
      hash: hash.toString('hex'),
    }));
  });
}

/** @param organization id or name; for a deleted one the id @throws {UsageError} if it has no log */
async function chainOf(db: Queryable, organization: string): Promise<string> {
  const isChain = isId(organization) && (await readHead(db, canonicalId(organization))) !== undefined;
  return isChain ? canonicalId(organization) : (await organizationOf(db, organization)).id;
}

/** `audit`: the contents of the audit log, and whether it is intact. */
export function addAuditCommands(program: Command, command: AddCommand, host: Host): void {
  const audit = program.command('audit').description('inspect the audit log');
  command(audit, 'list', `list events in order, ${LISTED} at a time`, listAuditCommand)
    .option(
      '--organization <id or name>',
      'the log of this organization (by id, also of a deleted one); default: the log of the platform',
    )
    .option('--after <sequence>', 'only events after this sequence number', sequenceOption);
  command(
    audit,
    'verify',
    `recompute every chain of the audit log; exits with code ${FAILED} if one is broken`,
    async (context) => {
      const chains = await verifyAuditCommand(context);
      if (chains.some(({ intact }) => !intact)) host.exitCode = FAILED;
      return chains;
    },
  );
}
