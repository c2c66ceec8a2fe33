/**
 * Counts the user and system time of this process from now on, which other load on the machine hardly changes.
 * @returns tells the milliseconds so far
 */
export function cpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Milliseconds between two looks at the memory. */
const RESOLUTION = 20;

/** Watches the resident memory of this process. @returns ends the watching and tells the most there was, in bytes */
export function watchMemory(): () => number {
  let peak = 0;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  look();
  const timer = setInterval(look, RESOLUTION);
  return () => {
    clearInterval(timer);
    look();
    return peak;
  };
}
