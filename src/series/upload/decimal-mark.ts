/** The decimal mark of a CSV file, as specified by its sender. */
export const DECIMAL_MARKS = ['point', 'comma'] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** A character that precedes decimals in some files and separates thousands in others. */
export type Mark = '.' | ',';
