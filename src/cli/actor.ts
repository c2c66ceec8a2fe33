import { userInfo } from 'node:os';
import type { AuditActor } from '../access/audit/audit-event.js';

/**
 * Who runs a command, as far as the system knows: whoever called `sudo`, or the account of the process. Where many share one, as in a
 * container, `ADMIN_BY` names the person; nobody can check that, so the account is told too.
 */
export function commandLineActor(env: NodeJS.ProcessEnv, account: string = accountOf()): AuditActor {
  const claimed = oneLine(env['ADMIN_BY'] ?? '');
  const known = oneLine(env['SUDO_USER'] ?? '') || account;
  const who = claimed === '' ? known : `${claimed}, as ${known}`;
  return { kind: 'command_line', id: null, name: `command line (${who})`, address: null };
}

/** The one of this process. */
export const COMMAND_LINE = commandLineActor(process.env);

function accountOf(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`; // containers run under ids that have no name
  }
}

/** Cut first: half a character at the end, which no database stores, is one of those that become a blank. */
function oneLine(text: string): string {
  return text
    .slice(0, 100)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
}
