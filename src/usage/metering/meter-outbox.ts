import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PLANS } from '../../../config/plans.js';
import { allEnded } from '../../platform/work/all-ended.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { DAY_MS } from '../../platform/durations.js';
import { messageOf } from '../../platform/faults.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Rounds } from '../../platform/work/rounds.js';
import { monthOf } from '../../platform/utc-calendar.js';
import { recordBilling } from '../quota.js';
import {
  lockSequences,
  markDelivered,
  markGivenUp,
  moveIntoQuota,
  noteFailure,
  returnEvent,
  takeDueEvents,
} from './meter-events.queries.js';
import { type MeterEvent, NotTaken, type UsageReporter } from './usage-reporter.js';

/** Injection token of the configured {@link UsageReporter}; null if none is. */
export const USAGE_REPORTER = Symbol('usage reporter');

const INTERVAL_MS = 2_000;
const BATCH = 50;
/**
 * After so long a round begins no second or further delivery of a sequence: with the time that the last one may take, it ends before
 * another process may take the events (15 s).
 */
const SEQUENCE_MS = 4_000;

/** What the log tells operators about an event that is no longer sent, by its status. */
const GIVEN_UP = {
  expired: 'a meter event expired; bill the run in another way',
  unsure: 'a meter event may have been delivered; check the metering service and settle it',
} as const;

/**
 * Delivers meter events until each has arrived or is too old, under an identifier that the receiver counts once. An event that may
 * have arrived is no longer sent once the receiver may have forgotten its identifier: it would be billed twice. Every process runs
 * an outbox.
 */
@Injectable()
export class MeterOutbox {
  private readonly attempts;

  constructor(
    private readonly database: Database,
    @Inject(USAGE_REPORTER) private readonly reporter: UsageReporter | null,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly rounds: Rounds,
    private readonly lifecycle: Lifecycle,
    metrics: Metrics,
  ) {
    const help =
      'Attempts to deliver a meter event. An event that is not accepted is sent again until it expires or might be counted twice.';
    this.attempts = metrics.counter('meter_events_total', help, {
      outcome: ['delivered', 'not_taken', 'expired', 'unsure'],
    });
  }

  @Interval(INTERVAL_MS)
  async round(): Promise<void> {
    const { reporter } = this;
    if (reporter) await this.rounds.make('metering', () => this.deliverDue(reporter));
  }

  private async deliverDue(reporter: UsageReporter): Promise<void> {
    const until = performance.now() + SEQUENCE_MS;
    const due = await takeDueEvents(this.database, BATCH);
    const beyond: MeterEvent[] = [];
    // sequentially: those of an organization would wait for each other, each with a connection
    for (const event of due) if (!(await this.fitsIntoQuota(event))) beyond.push(event);
    const sequences = Map.groupBy(beyond, (event) => reporter.sequenceOf(event));
    if (sequences.size === 0) return;
    await this.database.transaction(async (tx) => {
      const locked = await lockSequences(tx, [...sequences.keys()]);
      await allEnded(
        [...sequences].map(([name, events]) =>
          locked.has(name) ? this.deliverInTurn(reporter, events, until) : this.leave(events),
        ),
      );
    });
  }

  /** Leaves events to a later round, since another process is delivering others of their sequence. */
  private async leave(events: readonly MeterEvent[]): Promise<void> {
    for (const event of events) await returnEvent(this.database, event);
  }

  /** @param until in milliseconds of `performance.now()`: from then on, or once the process stops, all but the first are left to a later round */
  private async deliverInTurn(reporter: UsageReporter, events: readonly MeterEvent[], until: number): Promise<void> {
    for (const [at, event] of events.entries()) {
      if (at === 0 || (performance.now() < until && !this.lifecycle.draining)) await this.deliver(reporter, event);
      else await returnEvent(this.database, event);
    }
  }

  private async deliver(reporter: UsageReporter, event: MeterEvent): Promise<void> {
    const { acceptedDays, remembersMs } = reporter;
    const age = this.clock.now().getTime() - event.occurredAt.getTime();
    if (remembersMs !== null && event.unsureForMs !== null && event.unsureForMs >= remembersMs) {
      return this.giveUp(
        event,
        'unsure',
        'an earlier attempt may have been delivered, so another one might be counted twice',
      );
    }
    if (acceptedDays !== null && age > acceptedDays * DAY_MS) {
      const reason = `older than the ${acceptedDays} days that the metering service accepts`;
      return this.giveUp(event, event.unsureForMs === null ? 'expired' : 'unsure', reason);
    }
    try {
      await reporter.deliver(event);
    } catch (error) {
      this.attempts.inc({ outcome: 'not_taken' });
      const reason = messageOf(error);
      this.logger.warn(
        { identifier: event.identifier, reason },
        'a meter event was not accepted; it will be sent again',
      );
      const neverArrived = event.unsureForMs === null && error instanceof NotTaken;
      await noteFailure(this.database, event, reason, neverArrived);
      return;
    }
    this.attempts.inc({ outcome: 'delivered' });
    await markDelivered(this.database, event.organizationId, event.id);
  }

  /** No one pays for a run while their quota has room. Skipped if the event may have arrived: it would have been paid for. */
  private async fitsIntoQuota(event: MeterEvent): Promise<boolean> {
    if (event.unsureForMs !== null) return false;
    const { organizationId, runId } = event;
    const { monthly_runs: quota } = PLANS[event.plan];
    const month = monthOf(event.occurredAt);
    return this.database.transaction(async (tx) => {
      const moved = await moveIntoQuota(tx, event, month, quota);
      const at = this.clock.now();
      if (moved) await recordBilling(tx, { organizationId, runId, month, from: 'overage', to: 'quota', at });
      return moved;
    });
  }

  private async giveUp(event: MeterEvent, status: keyof typeof GIVEN_UP, reason: string): Promise<void> {
    this.attempts.inc({ outcome: status });
    const { identifier, organizationId: organization_id } = event;
    this.logger.error({ identifier, organization_id, reason }, GIVEN_UP[status]);
    await markGivenUp(this.database, event, status, reason);
  }
}
