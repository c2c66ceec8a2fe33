import { CommanderError } from 'commander';
import { Problem } from '../platform/http/problem.js';
import { BAD_INPUT, FAILED, type Host } from './host.js';
import { adminProgram } from './program.js';
import { UsageError } from './input/usage-error.js';

/** Runs a command of the admin command line; the host's exit code stays 0 unless it is set. */
export async function runCommand(args: readonly string[], host: Host): Promise<void> {
  try {
    await adminProgram(host).parseAsync(args, { from: 'user' });
  } catch (error) {
    host.exitCode = await report(error, host);
  }
}

/** @returns the exit code */
async function report(error: unknown, { stderr }: Host): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_INPUT; // commander has reported it
  if (error instanceof UsageError) {
    stderr.write(`error: ${error.message}\n`);
    return BAD_INPUT;
  }
  if (error instanceof Problem) {
    stderr.write(`error: ${error.detail}\n`);
    return BAD_INPUT;
  }
  const { operatorFault } = await import('../start/operator-fault.js');
  const message = operatorFault(error) ?? (error instanceof Error ? error.stack : String(error));
  stderr.write(`error: ${message}\n`);
  return FAILED;
}
