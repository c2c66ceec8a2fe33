/**
 * SQL for whether a waiting time is over. An end that lies more than twice `longest` ahead was set before the clock was set
 * back. It counts as past, or everybody would wait until the clock has caught up.
 * @param time SQL: when the waiting ends
 * @param longest the longest waiting time that is ever set: milliseconds, or SQL of an interval
 * @param now SQL: the clock by which the end was set
 */
export function isOver(time: string, longest: number | string, now = 'clock_timestamp()'): string {
  const interval = typeof longest === 'number' ? `interval '${longest} milliseconds'` : longest;
  return `(${time} <= ${now} OR ${time} > ${now} + 2 * (${interval}))`;
}
