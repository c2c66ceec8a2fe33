/**
 * SQL for whether a waiting time has ended. An end more than twice `longest` ahead was set before the clock was set back and
 * counts as past: nobody waits until the clock has caught up.
 * @param time SQL of the end of the waiting time
 * @param longest the longest waiting time that is ever set: milliseconds, or SQL of an interval
 * @param now SQL of the clock by which the end was set
 */
export function isOver(time: string, longest: number | string, now = 'clock_timestamp()'): string {
  const interval = typeof longest === 'number' ? `interval '${longest} milliseconds'` : longest;
  return `(${time} <= ${now} OR ${time} > ${now} + 2 * (${interval}))`;
}
