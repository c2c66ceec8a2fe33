import { setTimeout as sleep } from 'node:timers/promises';
import { CACHE_MS } from '../../../src/access/guard/api-key-gate.js';

/** Waits until the caches of every process for keys, organizations and flags have expired. */
export const untilCachesExpire = (): Promise<void> => sleep(CACHE_MS + 100);
