import type { Settings } from '../../config/settings.js';
import type { Logger } from '../platform/logging/logger.js';
import { threadCount } from '../runs/index.js';

/** Files and connections of a process besides those below: listeners, the queue, connectors, modules that are being loaded. */
const OWN_FILES = 64;
/** Of each thread of the engine: five, and modules that it is loading. */
const FILES_PER_THREAD = 8;
/** Clients that a process has room for in any case. */
const MIN_CLIENTS = 8;
/** Room for fewer clients than this is worth a warning. */
const FEW_CLIENTS = 256;

/**
 * How many clients may be connected at a time, so that those do not take what the process itself has to open: without a connection to
 * the database, or a thread, no work is done. Logs a warning if they are few.
 */
export function roomForClients(settings: Pick<Settings, 'DATABASE_POOL' | 'WORKER_THREADS'>, logger: Logger): number {
  const limit = maxOpenFiles();
  const own = OWN_FILES + settings.DATABASE_POOL + FILES_PER_THREAD * threadCount(settings);
  const clients = Math.max(MIN_CLIENTS, limit - own);
  if (clients < FEW_CLIENTS) {
    logger.warn(
      { limit, clients },
      `this process may open few files: raise the limit (LimitNOFILE, ulimit -n) to ${own + FEW_CLIENTS} or more`,
    );
  }
  return clients;
}

/** The limit of this process, which Node raises to the hard one at start. Infinity if there is none, as on Windows. */
function maxOpenFiles(): number {
  Object.assign(process.report, { excludeNetwork: true }); // looking up the names of addresses takes time
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Infinity;
}
