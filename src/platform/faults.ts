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

/** Remedies for system errors, by code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'free up disk space',
  EDQUOT: 'raise the disk quota of this account, or free up space',
  EFBIG: 'raise the file size limit',
  EROFS: 'the file system is mounted read-only',
  EACCES: 'grant the account of this process access to it',
  EPERM: 'grant the account of this process access to it',
  EMFILE: 'raise the open file limit of this process',
  ENFILE: 'raise the open file limit of the system',
  ENOMEM: 'there is not enough memory',
};

/** What an operator can do about a system error; undefined if that is unknown. */
export function remedyOf(fault: unknown): string | undefined {
  return REMEDIES[codeOf(fault)];
}
