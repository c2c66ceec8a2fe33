import { setTimeout as sleep } from 'node:timers/promises';
import { BELIEVED_MS } from '../../src/access/guard/api-key-gate.js';

/** Waits until every process has asked anew for keys, organizations and flags that have just been changed. */
export const takesEffect = (): Promise<void> => sleep(BELIEVED_MS + 100);
