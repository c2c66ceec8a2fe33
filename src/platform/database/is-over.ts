/**
 * SQL for whether a time up to which something was put off, or is held, is over. One that lies more than twice as far ahead as
 * any is ever put was put there before the clock was set back: nobody is to wait until it has caught up.
 * @param time SQL of the time
 * @param longest how far ahead at most it is put: milliseconds, or SQL of an interval
 * @param now SQL of the clock that it was put by
 */
export function isOver(time: string, longest: number | string, now = 'clock_timestamp()'): string {
  const interval = typeof longest === 'number' ? `interval '${longest} milliseconds'` : longest;
  return `(${time} <= ${now} OR ${time} > ${now} + 2 * (${interval}))`;
}
