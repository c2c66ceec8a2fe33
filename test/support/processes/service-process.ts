import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { eventually } from '../eventually.js';

export interface ServiceProcess {
  readonly pid: number;
  readonly process: ChildProcess;
  /** Its standard output and standard error so far. */
  output(): string;
  /** Sends the signal and waits for the end; returns the exit code, or null if ended by a signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Node's compile cache for the tests' processes: compiling again takes each of them a tenth of its start-up time. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(PROJECT_ROOT, 'node_modules', '.cache', 'compiled') };

/**
 * Starts the compiled service in a separate process, as `npm start` does.
 * @param written destination of its output: `output()`, or the open file with that descriptor
 * @param maxOpenFiles limit of its open files, if not that of the tests
 */
export function startServiceProcess(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  written: 'pipe' | number = 'pipe',
  maxOpenFiles?: number,
): ServiceProcess {
  const command = [process.execPath, join(PROJECT_ROOT, 'dist', 'src', 'main.js'), ...args];
  const limited = ['sh', '-c', `ulimit -n ${maxOpenFiles} && exec "$0" "$@"`, ...command];
  const [program = '', ...rest] = maxOpenFiles === undefined ? command : limited;
  const child = spawn(program, rest, {
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', written, written],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    pid: child.pid ?? 0,
    process: child,
    output: () => output,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

const LISTENING = /"url":"(http:[^"]+)","role":"\w+","msg":"listening"/;

/** URL of a service once it is listening: started with `PORT` 0, it gets a free port. */
export function listeningUrl(service: ServiceProcess): Promise<string> {
  return eventually('the service listens', () => Promise.resolve(LISTENING.exec(service.output())?.[1]));
}
