import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../config/paths.js';
import type { Host } from '../../src/cli/host.js';
import { runCommand } from '../../src/cli/run-command.js';
import { COMPILE_CACHE } from './processes/service-process.js';

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of the compiled admin command line in a separate process. */
export function admin(environment: Record<string, string>, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist', 'src', 'cli', 'admin.js'), ...args], {
      env: { ...COMPILE_CACHE, PATH: process.env['PATH'], ...environment },
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

/** The same within this process, for tests of what a command does: a separate process spends most of a second on loading. */
export async function adminWithin(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const host: Host & { exitCode?: number } = {
    env,
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
  };
  await runCommand(args, host);
  return { code: host.exitCode ?? 0, out: out.join(''), err: err.join('') };
}
