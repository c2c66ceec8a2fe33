// SQL of months, which are numbers (12 * year + month - 1), and of bit masks of a year's months, as in `observed_months` and
// `month_figures` of demand: bit 0 is January.

/**
 * The month of the day.
 * @param day SQL of a date or timestamp
 */
export const monthOfDay = (day: string): string =>
  `(12 * extract(year FROM ${day}) + extract(month FROM ${day}) - 1)::int`;

/**
 * 1 if the mask contains the month, otherwise 0.
 * @param mask SQL
 * @param month SQL
 */
export const monthBit = (mask: string, month: string): string => `((${mask}) >> (${month} % 12)) & 1`;

/**
 * 1 if the mask contains the month of the day, otherwise 0.
 * @param mask SQL
 * @param day SQL of a date or timestamp
 */
export const monthBitOfDay = (mask: string, day: string): string =>
  `((${mask}) >> (extract(month FROM ${day})::int - 1)) & 1`;

/**
 * The number of months that the mask contains.
 * @param mask SQL
 */
export const countMonths = (mask: string): string => `bit_count((${mask})::int::bit(12))`;
