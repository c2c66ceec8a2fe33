import { wholeNumberFault } from '../../platform/http/rules/whole-number.js';
import { UsageError } from './usage-error.js';

/** A number in plain digits: `1e2`, `0x10` and ` 7` are treated as mistakes. */
export function wholeNumberOption(
  option: string,
  bounds: { readonly minimum: number; readonly maximum: number },
): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= bounds.minimum && value <= bounds.maximum) return value;
    throw new UsageError(`${option} ${wholeNumberFault(bounds)}, not "${text.slice(0, 80)}"`);
  };
}
