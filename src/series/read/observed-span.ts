/** 2^0 to 2^11: among these `width_bucket` finds the highest bit of a year's months. */
const POWERS = `'{${Array.from({ length: 12 }, (_, bit) => 1 << bit).join(',')}}'::smallint[]`;

/**
 * A SELECT of the first and the last month with demand of a series (12 * year + month - 1; null without any) and their number,
 * from the months that each year has on record.
 * @param series SQL of the series' id
 */
export const observedSpan = (series: string): string => `
  SELECT min(12 * year + width_bucket((observed_months & -observed_months)::smallint, ${POWERS}) - 1) AS first_month,
    max(12 * year + width_bucket(observed_months, ${POWERS}) - 1) AS last_month,
    coalesce(sum(bit_count(observed_months::int::bit(12))), 0)::int AS observations
  FROM demand WHERE demand.series_id = ${series}`;
