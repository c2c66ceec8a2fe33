import { isNativeError } from 'node:util/types';

/** The code that a fault of the system, the network or the database carries (`EEXIST`, `23503`); empty where it has none. */
export function codeOf(fault: unknown): string {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return '';
  return typeof fault.code === 'string' ? fault.code : '';
}

/** What a fault says, for people. */
export function messageOf(fault: unknown): string {
  return isNativeError(fault) ? fault.message : String(fault);
}
