import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { Database, type Queryable } from '../database/database.js';
import { asSystem } from '../database/scope.js';
import { within } from '../work/deadline.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Metrics } from './metrics.js';

/** Milliseconds for which readings are reused, so that several scrapers cost no more than one. */
const FRESH_MS = 2_000;
/** Milliseconds that a single statement may take. */
const STATEMENT_DEADLINE_MS = 1_000;
/** Milliseconds that a scrape waits for all backlogs; scrapers give up after ten seconds. */
const DEADLINE_MS = 4_000;

/** The open items of a backlog in one state. */
export interface OpenItems {
  readonly state: string;
  readonly items: number;
  /** Age of the oldest in seconds. */
  readonly oldest: number;
}

/** SQL for the columns of {@link OpenItems} beside `state`. @param since SQL: when an item became one */
export const openItems = (since: string): string =>
  `count(*)::int AS items, extract(epoch FROM clock_timestamp() - min(${since}))::float8 AS oldest`;

interface Backlog {
  readonly name: string;
  readonly states: readonly string[];
  /** States without items may be omitted. */
  readonly read: (db: Queryable) => Promise<readonly OpenItems[]>;
}

/**
 * Gauges of the work that is waiting or in progress in the database, in any process. They are read on scrape, one after the other,
 * so they use at most one connection. A backlog that cannot be read is omitted: a stale value would mislead.
 */
@Injectable()
export class Backlogs implements BeforeApplicationShutdown {
  private readonly watched: Backlog[] = [];
  /** In progress; shared by the scrapes that arrive in the meantime. */
  private reading: Promise<void> | undefined;
  private readonly items: Gauge;
  private readonly oldest: Gauge;
  private readonly errors: Counter;
  private readAt = -Infinity;

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const labelNames = ['backlog', 'state'];
    this.items = new Gauge({ ...metrics.described('backlog_items', 'Open items in the database.'), labelNames });
    this.oldest = new Gauge({
      ...metrics.described('backlog_oldest_seconds', 'Age of the oldest open item; 0 if there is none.'),
      labelNames,
    });
    this.errors = new Counter({
      ...metrics.described('scrape_errors_total', 'Readings for a scrape that failed or timed out.'),
      labelNames: ['source'],
    });
    this.errors.inc({ source: 'database' }, 0);
    metrics.beforeScrape(() => this.refresh());
  }

  /** Registers a backlog. */
  watch(name: string, states: readonly string[], read: Backlog['read']): void {
    this.watched.push({ name, states, read });
    this.errors.inc({ source: name }, 0);
  }

  /** Stops reading: scrapes may still arrive after the connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.watched.length = 0;
    await this.reading;
  }

  private async refresh(): Promise<void> {
    if (performance.now() - this.readAt < FRESH_MS) return;
    this.reading ??= asSystem('metrics', () => this.readAll()).finally(() => (this.reading = undefined));
    const inTime = await within(
      DEADLINE_MS,
      this.reading.then(() => true),
    );
    if (inTime !== true) this.errors.inc({ source: 'database' });
  }

  private async readAll(): Promise<void> {
    this.items.reset();
    this.oldest.reset();
    for (const backlog of this.watched) {
      try {
        await this.readOne(backlog);
      } catch (error) {
        const away = isDatabaseUnavailable(error);
        this.errors.inc({ source: away ? 'database' : backlog.name });
        this.logger.warn({ err: error, backlog: backlog.name }, 'a backlog could not be read for a scrape');
        if (away) return;
      }
    }
    this.readAt = performance.now();
  }

  private async readOne({ name, states, read }: Backlog): Promise<void> {
    const open = await this.database.transaction(async (tx) => {
      await tx.execute(`SET LOCAL statement_timeout = ${STATEMENT_DEADLINE_MS}`);
      return read(tx);
    });
    for (const state of states) {
      const { items = 0, oldest = 0 } = open.find((row) => row.state === state) ?? {};
      this.items.set({ backlog: name, state }, items);
      this.oldest.set({ backlog: name, state }, oldest);
    }
  }
}
