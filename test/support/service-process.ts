import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../config/paths.js';
import { eventually } from './eventually.js';

export interface ServiceProcess {
  readonly pid: number;
  readonly process: ChildProcess;
  /** What it has written to standard output and standard error so far. */
  output(): string;
  /** Sends the signal and waits for the end; the exit code, or null when a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Where the processes of the tests keep what Node compiles: to do it again takes each of them a tenth of its start. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(PROJECT_ROOT, 'node_modules', '.cache', 'compiled') };

/**
 * Starts the compiled service as a process of its own, as `npm start` does.
 * @param written where it writes: into `output()`, or into the open file with that number
 */
export function startServiceProcess(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  written: 'pipe' | number = 'pipe',
): ServiceProcess {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist', 'src', 'main.js'), ...args], {
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

/** Address of a service once it listens: started with `PORT` 0, it takes a port that nobody else has. */
export function listeningUrl(service: ServiceProcess): Promise<string> {
  return eventually('the service listens', () => Promise.resolve(LISTENING.exec(service.output())?.[1]));
}
