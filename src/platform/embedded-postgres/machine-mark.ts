import { readFileSync, readlinkSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../faults.js';
import { writeWhole } from '../whole-files.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Milliseconds between the signs of life of a process that uses the server. */
const SIGN_EVERY = 1_000;
/** How often, and with which pause in milliseconds, one that is elsewhere looks for them: 6 s. */
const LOOKS = 12;
const LOOK_EVERY = 500;

/**
 * Says in `DATA_DIR/postgres-machine` where the processes are that use the cluster, for as long as they do. PostgreSQL keeps a
 * second server off a cluster by the process id of the first, which says nothing in another container or on another machine:
 * there, two servers would write the same files.
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

  /** As {@link claim}. */
  static async set(dataDirectory: string, machine: string = thisMachine()): Promise<MachineMark> {
    const mark = new MachineMark(dataDirectory, machine);
    await mark.claim();
    return mark;
  }

  /**
   * Before a server is started, again too. Waits some seconds where another machine has left its mark, which a crash leaves too.
   * For one process at a time.
   * @throws {EmbeddedPostgresError} where processes of another machine or container use the cluster
   */
  async claim(): Promise<void> {
    this.leave();
    if (machineAt(this.path) !== this.machine) {
      await waitForSilence(this.dataDirectory, this.path);
      writeWhole(this.path, this.machine);
    }
    this.signs = setInterval(() => this.giveSign(), SIGN_EVERY).unref();
  }

  /** Whether another machine has taken the cluster over, as where this one was frozen for longer than that looks for signs. */
  get isOthers(): boolean {
    return ![undefined, this.machine].includes(machineAt(this.path));
  }

  /** This process uses the cluster no more; others here may. */
  leave(): void {
    clearInterval(this.signs);
  }

  /** Nobody uses the cluster any more. */
  remove(): void {
    this.leave();
    rmSync(this.path, { force: true });
  }

  private giveSign(): void {
    const now = new Date();
    try {
      utimesSync(this.path, now, now);
    } catch {
      // removed by hand, or the disk is away: what this process does to the database tells more
    }
  }
}

async function waitForSilence(dataDirectory: string, path: string): Promise<void> {
  const lastSign = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const first = lastSign();
  for (let look = 0; look < LOOKS && first !== undefined; look += 1) {
    await sleep(LOOK_EVERY);
    const now = lastSign();
    if (now === undefined) return; // stopped meanwhile
    if (now !== first) {
      throw new EmbeddedPostgresError(
        `the embedded database in ${dataDirectory} is in use by another container or machine; run commands in there, stop what runs there first, or share a database by DATABASE_URL`,
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

/** Within which process ids mean the same: on Linux a boot of the kernel, and a container on it. */
function thisMachine(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}
