import type { Command } from 'commander';
import { changeFlag } from '../../access/flags/change-flag.js';
import { FLAG_NAMES, listAllFlags } from '../../access/flags/flags.queries.js';
import { COMMAND_LINE } from '../actor.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { nameOption, oneOf, switchOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';

function listFlagsCommand({ database }: AdminContext): Promise<Answer> {
  return listAllFlags(database);
}

function setFlagCommand(
  { database, now }: AdminContext,
  options: { readonly name: string; readonly enabled: boolean; readonly reason: string | null },
): Promise<Answer> {
  const name = oneOf('the flag', options.name, FLAG_NAMES);
  const { enabled, reason } = options;
  return database.transaction((tx) => changeFlag(tx, { name, enabled, reason, actor: COMMAND_LINE, now }));
}

/** `flag`: platform-wide switches. */
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
