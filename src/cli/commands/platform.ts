import type { Command } from 'commander';
import { COMMAND_LINE, PLATFORM_CHAIN } from '../../access/audit/audit-event.js';
import { type ChainReport, verifyAuditChain } from '../../access/audit/audit-log.js';
import { listChains } from '../../access/audit/audit.queries.js';
import { changeFlag } from '../../access/flags/change-flag.js';
import { FLAG_NAMES, listAllFlags, listFlags } from '../../access/flags/flags.queries.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { FAILED, type Host } from '../host.js';
import { nameOption, oneOf, switchOption } from '../input.js';
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

/** `flag`: switches of the platform. */
export function addFlagCommands(program: Command, command: AddCommand): void {
  const flag = program.command('flag').description('flags of the platform');
  command(flag, 'list', 'all flags', listFlagsCommand);
  command<{ name: string; state: boolean; reason?: string }>(
    flag,
    'set',
    'switch a flag',
    (context, { name, state, reason }) => setFlagCommand(context, { name, enabled: state, reason: reason ?? null }),
  )
    .argument('<name>', 'for example disable_public_api')
    .argument('<state>', 'on or off', switchOption)
    .option('--reason <text>', 'why; callers are told', nameOption('--reason', 500));
}

/** `audit`: whether the audit log is as it was written. */
export function addAuditCommands(program: Command, command: AddCommand, host: Host): void {
  command(
    program.command('audit').description('the audit log'),
    'verify',
    `recompute every chain of the audit log; exit code ${FAILED} where one is broken`,
    async (context) => {
      const chains = await verifyAuditCommand(context);
      if (chains.some(({ intact }) => !intact)) host.exitCode = FAILED;
      return chains;
    },
  );
}
