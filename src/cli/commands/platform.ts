import type { Command } from 'commander';
import { PLATFORM_CHAIN } from '../../access/audit/audit-event.js';
import { COMMAND_LINE } from '../actor.js';
import { type ChainReport, verifyAuditChain } from '../../access/audit/audit-log.js';
import { exportedEvents } from '../../access/audit/exported-events.js';
import { listChains, readChain, readHead } from '../../access/audit/audit.queries.js';
import { changeFlag } from '../../access/flags/change-flag.js';
import { FLAG_NAMES, listAllFlags, listFlags } from '../../access/flags/flags.queries.js';
import { findOrganization } from '../../access/organizations/organizations.queries.js';
import type { Queryable } from '../../platform/database/database.js';
import { canonicalId, isId } from '../../platform/ids.js';
import { auditCommand } from '../audit.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { FAILED, type Host } from '../host.js';
import { nameOption, oneOf, organizationOf, sequenceOption, switchOption } from '../input.js';
import type { Answer } from '../output.js';

function listFlagsCommand({ database }: AdminContext): Promise<Answer> {
  return listAllFlags(database);
}

function setFlagCommand(
  { database, now }: AdminContext,
  options: { readonly name: string; readonly enabled: boolean; readonly reason: string | null },
): Promise<Answer> {
  const name = oneOf('the flag', options.name, FLAG_NAMES);
  return database.transaction(async (tx) => {
    const known = (await listFlags(tx)).find((flag) => flag.name === name);
    const same = known !== undefined && known.enabled === options.enabled && known.reason === options.reason;
    return same
      ? known
      : changeFlag(tx, { name, enabled: options.enabled, reason: options.reason, actor: COMMAND_LINE, now });
  });
}

/** Recomputes every audit chain. */
async function verifyAuditCommand({ database }: AdminContext): Promise<(ChainReport & { chain: string })[]> {
  const reports = [];
  for (const chain of await listChains(database)) {
    const report = await verifyAuditChain(database, chain);
    reports.push({ chain: chain === PLATFORM_CHAIN ? 'platform' : chain, ...report });
  }
  return reports;
}

/** Events that one command lists. */
const LISTED = 1_000;

/**
 * Events of an organization, also of one that was deleted, or of the platform, in the order of the chain. That they were read goes on
 * record: in the log of the organization, or of the platform where that of a deleted one stays as it was.
 */
async function listAuditCommand(
  { database, now }: AdminContext,
  { organization, after = 0 }: { readonly organization?: string; readonly after?: number },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const chain = organization === undefined ? PLATFORM_CHAIN : await chainOf(tx, organization);
    const events = (await readChain(tx, chain, after, LISTED)).filter((event) => event !== undefined);
    await auditCommand(tx, {
      organizationId: (await findOrganization(tx, chain))?.id ?? null,
      action: 'audit_log.exported',
      target: { kind: chain === PLATFORM_CHAIN ? 'platform' : 'organization', id: chain },
      details: exportedEvents(events.map(({ sequence }) => sequence)),
      occurredAt: now,
    });
    return events.map(({ organization_id: _chain, previous_hash: _previous, hash, ...event }) => ({
      ...event,
      hash: hash.toString('hex'),
    }));
  });
}

/** @param organization id or name; of one that was deleted the id @throws {UsageError} where there is no log of it */
async function chainOf(db: Queryable, organization: string): Promise<string> {
  const isChain = isId(organization) && (await readHead(db, canonicalId(organization))) !== undefined;
  return isChain ? canonicalId(organization) : (await organizationOf(db, organization)).id;
}

/** `flag`: switches of the platform. */
export function addFlagCommands(program: Command, command: AddCommand): void {
  const flag = program.command('flag').description('manage the flags of the platform');
  command(flag, 'list', 'list all flags', listFlagsCommand);
  command<{ name: string; state: boolean; reason?: string }>(
    flag,
    'set',
    'switch a flag on or off',
    (context, { name, state, reason }) => setFlagCommand(context, { name, enabled: state, reason: reason ?? null }),
  )
    .argument('<name>', 'for example disable_public_api')
    .argument('<state>', 'on or off', switchOption)
    .option('--reason <text>', 'the reason, shown to callers', nameOption('--reason', 500));
}

/** `audit`: what the audit log tells, and whether it is as it was written. */
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
