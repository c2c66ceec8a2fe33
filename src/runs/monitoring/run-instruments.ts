import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';

const OUTCOMES = ['completed', 'failed', 'canceled'] as const;
/** Seconds: from a handful of series to the largest workspaces. */
const BUCKETS = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];
/** A run is planned, then computed chunk by chunk. */
const WORK = { work: ['plan', 'chunk'] } as const;

/** Metrics of runs. Each event is counted by the process in which it happens. */
@Injectable()
export class RunInstruments {
  private readonly finished;
  private readonly durations;
  readonly series;
  readonly takeovers;
  readonly errors;
  readonly lostLeases;

  constructor(metrics: Metrics) {
    this.finished = metrics.counter('runs_finished_total', 'Runs that have ended.', { outcome: OUTCOMES });
    this.durations = metrics.histogram('run_duration_seconds', 'Seconds from the start of work on a run to its end.', {
      labels: { outcome: OUTCOMES },
      buckets: BUCKETS,
    });
    this.series = metrics.counter('series_computed_total', 'Series computed by runs.', {
      outcome: ['forecast', 'skipped'],
    });
    const again = 'Pieces of runs that were retried after their lease expired or an attempt failed.';
    this.takeovers = metrics.counter('run_takeovers_total', again, WORK);
    this.errors = metrics.counter('run_errors_total', 'Attempts at pieces of runs that failed with an error.', WORK);
    const lost =
      'Pieces of runs computed in vain because their lease had passed to another worker or the run had ended.';
    this.lostLeases = metrics.counter('run_leases_lost_total', lost, WORK);
  }

  /** Counts the end of a run. @param duration milliseconds of work on it; undefined if there was none */
  end(outcome: (typeof OUTCOMES)[number], duration: number | undefined): void {
    this.finished.inc({ outcome });
    if (duration !== undefined) this.durations.observe({ outcome }, duration / 1_000);
  }
}
