/** The decimal mark of a CSV file, as its sender names it. */
export const DECIMAL_MARKS = ['point', 'comma'] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** A character that comes before decimals in some files and between thousands in others. */
export type Mark = '.' | ',';
