import { spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { runTool } from './run-tool.js';

/** A tool that writes the lines to standard error and fails. */
const failing = (...lines: string[]): Promise<number> =>
  runTool('sh', ['-c', `${lines.map((line) => `echo '${line}' >&2`).join('; ')}; exit 1`], undefined);

describe('a failing server tool', () => {
  it.each([
    [
      'FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device',
      [
        'FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device',
        'initdb: removing contents of data directory "/d"',
      ],
    ],
    [
      'FATAL:  could not extend file "base/1/2691": No space left on device',
      [
        'FATAL:  could not extend file "base/1/2691": No space left on device',
        'PANIC:  cannot abort transaction 1, it was already committed',
      ],
    ],
    [
      '9 UTC [7] FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 8 (Check free disk space.)',
      [
        '9 UTC [7] FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 8',
        '9 UTC [7] HINT:  Check free disk space.',
        'child process exited with exit code 1',
      ],
    ],
    ['pg_ctl: could not start server', ['waiting for server to start', 'pg_ctl: could not start server']],
  ])('is reported by %j', async (message, lines) => {
    await expect(failing(...lines)).rejects.toThrow(message);
  });

  it('is reported when its end is noticed together with that of another process, before its output', async () => {
    const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    const other = spawn('echo', ['done']);
    other.stdout.once('data', () => block(600)); // the tool fails meanwhile
    const tool = runTool('sh', ['-c', 'sleep 0.5; echo "FATAL:  no space" >&2; exit 1'], undefined);
    block(250); // the other ends meanwhile
    await expect(tool).rejects.toThrow('FATAL:  no space');
  });
});
