import type { ChangeOptions } from './types.js';

/**
 * Whether a change of the demand `expected` by `size` (positive in the direction that is to be reported) is large enough to report:
 * at least `unitFloor` pieces and the share of `options`.
 */
export function isMaterial(size: number, expected: number, options: ChangeOptions, unitFloor: number): boolean {
  return size > 0 && size >= Math.max(unitFloor, options.minimumChange * expected);
}
