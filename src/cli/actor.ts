import { userInfo } from 'node:os';
import type { AuditActor } from '../access/audit/audit-event.js';

/**
 * Who runs a command, as far as the system knows: the user who called `sudo`, or the account of the process. If several people
 * share one, as in a container, `ADMIN_BY` names the person; since that cannot be verified, the account is recorded too.
 */
export function commandLineActor(env: NodeJS.ProcessEnv, account: string = accountOf()): AuditActor {
  const claimed = oneLine(env['ADMIN_BY'] ?? '');
  const known = oneLine(env['SUDO_USER'] ?? '') || account;
  const who = claimed === '' ? known : `${claimed}, as ${known}`;
  return { kind: 'command_line', id: null, name: `command line (${who})`, address: null };
}

/** The actor of this process. */
export const COMMAND_LINE = commandLineActor(process.env);

function accountOf(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`; // containers run under user ids without a name
  }
}

/** Truncated first: an unpaired surrogate at the end, which no database stores, is then among the characters replaced by blanks. */
function oneLine(text: string): string {
  return text
    .slice(0, 100)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
}
