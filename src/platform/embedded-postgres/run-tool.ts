import { spawn } from 'node:child_process';
import type { ServerUser } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Runs a server tool as the server's user; resolves to the exit code, rejects on failure unless it is tolerated. */
export function runTool(
  command: string,
  args: readonly string[],
  user: ServerUser | undefined,
  tolerate = false,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // first: a process that cannot be spawned has no pipe
    child.once('error', (error) => reject(new EmbeddedPostgresError(`${command} cannot be started: ${error.message}`)));
    let fault = '';
    child.stderr?.on('data', (chunk: Buffer) => (fault += chunk.toString()));
    // 'exit', not 'close': the started server inherits the pipe and would keep it open forever
    child.once('exit', (code, signal) => {
      child.stderr?.destroy();
      if (code === 0 || tolerate) resolve(code ?? 1);
      else
        reject(
          new EmbeddedPostgresError(reason(fault) || `${command} ${signal ? `was ended by ${signal}` : 'failed'}`),
        );
    });
  });
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
