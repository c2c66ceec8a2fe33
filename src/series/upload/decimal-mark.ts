/** What the decimals of a CSV file may have in front of them, as its sender says. */
export const DECIMAL_MARKS = ['point', 'comma'] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** One of the two characters that stand before decimals in some files and between thousands in others. */
export type Mark = '.' | ',';
