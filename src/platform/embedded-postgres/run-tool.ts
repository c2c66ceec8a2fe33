import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { ServerUser } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Maximum wait for the rest of what a failed tool wrote, in milliseconds: a server that it started anyway keeps the pipe open. */
const MAX_READING_MS = 1_000;

/** Runs a server tool as the server's user; resolves to the exit code, rejects on failure unless it is tolerated. */
export async function runTool(
  command: string,
  args: readonly string[],
  user: ServerUser | undefined,
  tolerate = false,
): Promise<number> {
  const child = spawn(command, args, {
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let fault = '';
  child.stderr?.on('data', (chunk: Buffer) => (fault += chunk.toString())); // a process that cannot be spawned has no pipe
  // 'exit', not 'close': the started server inherits the pipe and would keep it open forever
  const [code, signal] = (await once(child, 'exit').catch((error: Error) => {
    throw new EmbeddedPostgresError(`${command} cannot be started: ${error.message}`);
  })) as [number | null, NodeJS.Signals | null];
  const succeeded = code === 0 || tolerate;
  // when another process ends at the same time, the end of this one may be noticed before its last output
  const rest = { signal: AbortSignal.timeout(MAX_READING_MS) };
  if (!succeeded) await finished(child.stderr, rest).catch(() => undefined);
  child.stderr.destroy();
  if (succeeded) return code ?? 1;
  throw new EmbeddedPostgresError(reason(fault) || `${command} ${signal ? `was ended by ${signal}` : 'failed'}`);
}

/** The line with the first error; what tools print after it is its consequences and their cleanup. */
function reason(output: string): string {
  const lines = output.trim().split('\n');
  const first = lines.findIndex((line) => /\b(error|fatal|panic): /i.test(line));
  return withAdvice(lines, first < 0 ? lines.length - 1 : first);
}

/** A line of PostgreSQL output with the advice that follows it, such as the permissions that a directory should have. */
export function withAdvice(lines: readonly string[], at: number): string {
  const advice: string[] = [];
  for (let i = at + 1; ; i += 1) {
    const text = /\b(?:DETAIL|HINT): +(.*)/.exec(lines[i] ?? '')?.[1];
    if (text === undefined) break;
    advice.push(text);
  }
  return advice.length === 0 ? lines[at]! : `${lines[at]!} (${advice.join(' ')})`;
}
