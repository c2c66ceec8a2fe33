const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
/** Significant digits beyond which two numbers are the same to people. */
const MAX_DIGITS = 4;
/** The first formats to one significant digit. */
const IN_DIGITS = Array.from(
  { length: MAX_DIGITS },
  (_, index) => new Intl.NumberFormat('en', { maximumSignificantDigits: index + 1 }),
);
/** Below this nobody counts the zeros, and a power of ten is written. */
const MIN_IN_DIGITS = 1e-9;

/** A number as people read it: whole from 100 on, with groups of thousands; three significant digits from 10, two below. */
export function readable(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return WHOLE.format(value);
  return toDigits(value, size >= 10 ? 3 : 2);
}

function toDigits(value: number, digits: number): string {
  return Math.abs(value) < MIN_IN_DIGITS
    ? String(Number(value.toPrecision(digits)))
    : IN_DIGITS[digits - 1]!.format(value);
}

/** Largest change that is given as a percentage: out of next to nothing every change is a large one. */
export const MAX_PERCENT = 9999;

/** Numbers as {@link readable}, with as many digits more as it takes to distinguish each from the next, if few do; never with fewer. */
export function readableDistinct<const T extends readonly number[]>(values: T): { readonly [K in keyof T]: string } {
  const areAlike = (texts: readonly string[]): boolean =>
    values.some((value, i) => i > 0 && value !== values[i - 1] && texts[i] === texts[i - 1]);
  const plain = values.map(readable);
  let texts = plain;
  for (let digits = 3; areAlike(texts) && digits <= MAX_DIGITS; digits += 1) {
    texts = values.map((value, i) => (Math.abs(value) < 10 ** digits ? toDigits(value, digits) : plain[i]!));
  }
  return (areAlike(texts) ? plain : texts) as { readonly [K in keyof T]: string };
}

/** A size in percent as people read it: whole from 10 on. What is found in a few months is known no better. */
export function percentInWords(percent: number): string {
  return `${readable(percent < 10 ? percent : Math.round(percent))} %`;
}

/** A unit as it follows a number: ` pieces`; ` × 1000 pcs`, which would be read as one number; empty where there is none. */
function unitSuffix(unit: string | undefined): string {
  if (unit === undefined || unit === '') return '';
  return /^\d/.test(unit) ? ` × ${unit}` : ` ${unit}`;
}

/** A number in words with its unit, of which one is singular where English words show how: `1 piece`, `1 box`, `3 pieces`, `1 kg`. */
export function withUnit(number: string, unit: string | undefined): string {
  return `${number}${unitSuffix(number === '1' && unit !== undefined ? singular(unit) : unit)}`;
}

/** Plurals in s of four letters or more: not `pcs`, `gross`, `canvas`, `kg/s`, nor those in -ies, which may come of -y, -ie or `series`. */
const PLURAL = /^(?!lens$)(?:([a-z]{2,}(?:x|ch|sh|ss))es|([a-z]{3,})(?<!ie|[aisu])s)$/i;

function singular(unit: string): string {
  const [, sibilant, other] = PLURAL.exec(unit) ?? [];
  return sibilant ?? other ?? unit;
}

/** `1 month`, `2 months`, `1.5 months`. */
export function inMonths(count: number): string {
  return count === 1 ? '1 month' : `${readable(count)} months`;
}
