import type { ChangeOptions } from './types.js';

/** Whether a change by `size` (positive in the direction that is to be told) of the demand `expected` is worth telling. */
export function isMaterial(size: number, expected: number, options: ChangeOptions, unitFloor: number): boolean {
  return size > 0 && size >= Math.max(unitFloor, options.minimumChange * expected);
}
