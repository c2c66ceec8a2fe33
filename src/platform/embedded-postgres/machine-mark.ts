import { readFileSync, readlinkSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../faults.js';
import { writeWhole } from '../whole-files.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Milliseconds between signs of life of a process that uses the server. */
const SIGN_EVERY_MS = 1_000;
/** How often another machine looks for signs of life, and the milliseconds in between: 6 s in total. */
const LOOKS = 12;
const LOOK_EVERY_MS = 500;

/**
 * A file, `DATA_DIR/postgres-machine`, that names the machine or container whose processes use the cluster, touched regularly while
 * they do. PostgreSQL itself only checks the process id of a running server, which means nothing in another container or on another
 * machine that shares the directory: two servers would write the same files.
 */
export class MachineMark {
  private readonly path: string;
  private signs: NodeJS.Timeout | undefined;

  private constructor(
    private readonly dataDirectory: string,
    private readonly machine: string,
  ) {
    this.path = join(dataDirectory, 'postgres-machine');
  }

  /** Like {@link claim}. */
  static async set(dataDirectory: string, machine: string = thisMachine()): Promise<MachineMark> {
    const mark = new MachineMark(dataDirectory, machine);
    await mark.claim();
    return mark;
  }

  /**
   * Writes the mark; call it before every start of the server, in one process at a time. If the mark of another machine exists,
   * waits some seconds to see whether it is still being touched or was left by a crash.
   * @throws {EmbeddedPostgresError} if processes of another machine or container use the cluster
   */
  async claim(): Promise<void> {
    this.leave();
    if (machineAt(this.path) !== this.machine) {
      await waitForSilence(this.dataDirectory, this.path);
      writeWhole(this.path, this.machine);
    }
    this.signs = setInterval(() => this.touch(), SIGN_EVERY_MS).unref();
  }

  /** Whether another machine has taken over the cluster, as happens if this one was frozen for more than those seconds. */
  get isOthers(): boolean {
    return ![undefined, this.machine].includes(machineAt(this.path));
  }

  /** This process no longer uses the cluster; others here may. */
  leave(): void {
    clearInterval(this.signs);
  }

  /** No process uses the cluster any more. */
  remove(): void {
    this.leave();
    rmSync(this.path, { force: true });
  }

  private touch(): void {
    const now = new Date();
    try {
      utimesSync(this.path, now, now);
    } catch {
      // the file was deleted or the disk is gone: the database itself will report the problem
    }
  }
}

async function waitForSilence(dataDirectory: string, path: string): Promise<void> {
  const lastSign = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const first = lastSign();
  for (let look = 0; look < LOOKS && first !== undefined; look += 1) {
    await sleep(LOOK_EVERY_MS);
    const now = lastSign();
    if (now === undefined) return; // stopped in the meantime
    if (now !== first) {
      throw new EmbeddedPostgresError(
        `the embedded database in ${dataDirectory} is in use by another container or machine; run commands there, stop it first, or share a database through DATABASE_URL`,
      );
    }
  }
}

function machineAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names the namespace in which process ids are unique: on Linux, a boot of the kernel and a container on it. */
function thisMachine(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}
