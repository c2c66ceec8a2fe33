/**
 * SQL that tells whether a waiting period is over. An end that lies more than twice `longest` ahead was set before the clock was
 * set back. It counts as past; otherwise everyone would wait until the clock has caught up.
 * @param time SQL: the end of the waiting period
 * @param longest the longest waiting period that is ever set: milliseconds, or an SQL interval expression
 * @param now SQL: the clock by which the end was set
 */
export function isOver(time: string, longest: number | string, now = 'clock_timestamp()'): string {
  const interval = typeof longest === 'number' ? `interval '${longest} milliseconds'` : longest;
  return `(${time} <= ${now} OR ${time} > ${now} + 2 * (${interval}))`;
}
