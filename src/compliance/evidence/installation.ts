import type { CheckContext } from '../checks/check.js';

/** What the checks examine, except for the time, the connection and the organization to judge. */
export type Installation = Omit<CheckContext, 'db' | 'now' | 'organizationId'>;

/** Injection token of the {@link Installation} that this process serves. */
export const INSTALLATION = Symbol('installation');
