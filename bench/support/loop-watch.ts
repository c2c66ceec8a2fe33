import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two looks. */
const RESOLUTION = 5;

/** What the event loop of this thread did while it was watched; milliseconds. */
export interface LoopReport {
  readonly wall_p99_ms: number;
  readonly wall_longest_ms: number;
  readonly own_p99_ms: number;
  readonly own_longest_ms: number;
  /** Share of one core that the thread took. */
  readonly own_share: number;
}

/**
 * Watches the loop of the calling thread. The wall-clock figures are the delay of a timer beyond its interval: blocking
 * tasks, and time in which the operating system gave the thread no core. The own figures are the CPU time the thread took
 * between two turns of a timer: an upper bound of the longest task, however busy the machine is.
 */
export function watchLoop(): { stop(): LoopReport } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  const turns: number[] = [];
  const [began, cpuBefore] = [performance.now(), threadCpu()];
  let last = cpuBefore;
  const timer = setInterval(() => {
    const now = threadCpu();
    turns.push(now - last);
    last = now;
  }, RESOLUTION);
  delay.enable();
  return {
    stop: () => {
      delay.disable();
      clearInterval(timer);
      turns.sort((a, b) => a - b);
      const beyond = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
      return {
        wall_p99_ms: beyond(delay.percentile(99)),
        wall_longest_ms: beyond(delay.max),
        own_p99_ms: turns[Math.floor(turns.length * 0.99)] ?? 0,
        own_longest_ms: turns.at(-1) ?? 0,
        own_share: (last - cpuBefore) / (performance.now() - began),
      };
    },
  };
}

function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
