import type { CheckContext } from '../checks/check.js';

/** What the checks look at, but for the time and the connection. */
export type Installation = Omit<CheckContext, 'db' | 'now'>;

/** Injection token of the {@link Installation} that this process serves. */
export const INSTALLATION = Symbol('installation');
