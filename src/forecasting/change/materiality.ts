import type { ChangeOptions } from './types.js';

/**
 * Whether a change of the demand `expected` by `size` (positive in the direction that is to be reported) is large enough to report:
 * at least the pieces and the share of the options.
 */
export function isMaterial(
  size: number,
  expected: number,
  { minimumUnits, minimumChange }: Pick<ChangeOptions, 'minimumUnits' | 'minimumChange'>,
): boolean {
  return size > 0 && size >= Math.max(minimumUnits, minimumChange * expected);
}
