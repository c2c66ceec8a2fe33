import { countMonths } from '../month-sql.js';

/** 2^0 to 2^11: `width_bucket` finds a mask's highest bit by its position among these. */
const POWERS = `'{${Array.from({ length: 12 }, (_, bit) => 1 << bit).join(',')}}'::smallint[]`;

/**
 * A SELECT of a series' first and last month with demand (12 * year + month - 1; null without demand) and its number of months with demand,
 * from the bit masks of its years.
 * @param series SQL of the series' id
 */
export const observedSpan = (series: string): string => `
  SELECT min(12 * year + width_bucket((observed_months & -observed_months)::smallint, ${POWERS}) - 1) AS first_month,
    max(12 * year + width_bucket(observed_months, ${POWERS}) - 1) AS last_month,
    coalesce(sum(${countMonths('observed_months')}), 0)::int AS observations
  FROM demand WHERE demand.series_id = ${series}`;
