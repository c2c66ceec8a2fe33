const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const THREE_DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const TWO_DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** A number as people read it: whole from 100 on, with groups of thousands; three significant digits from 10, two below. */
export function readable(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return WHOLE.format(value);
  return (size >= 10 ? THREE_DIGITS : TWO_DIGITS).format(value);
}

/** A mean as people read it; that of whole pieces is told in whole ones where they are many. */
export function readableMean(value: number, wholeUnits: boolean): string {
  return wholeUnits && Math.abs(value) >= 10 ? WHOLE.format(value) : readable(value);
}

/** `1 month`, `2 months`, `1.5 months`. */
export function inMonths(count: number): string {
  return count === 1 ? '1 month' : `${readable(count)} months`;
}
