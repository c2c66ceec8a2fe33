import { isNativeError } from 'node:util/types';

/** The code of a system, network or database error (`EEXIST`, `23503`); empty if it has none. */
export function codeOf(fault: unknown): string {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return '';
  return typeof fault.code === 'string' ? fault.code : '';
}

/** The message of a thrown value, for people. */
export function messageOf(fault: unknown): string {
  return isNativeError(fault) ? fault.message : String(fault);
}
