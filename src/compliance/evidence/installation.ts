import type { CheckContext } from '../checks/check.js';

/** What the checks look at, but for the time, the connection and whose share is judged. */
export type Installation = Omit<CheckContext, 'db' | 'now' | 'organizationId'>;

/** Injection token of the {@link Installation} that this process serves. */
export const INSTALLATION = Symbol('installation');
