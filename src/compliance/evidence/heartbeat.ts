import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { Rounds } from '../../platform/work/rounds.js';
import { beat } from './heartbeats.queries.js';

/** Twice a minute, so that no minute is missed if the timer is late. */
const INTERVAL_MS = 30_000;

/** Records that this process of the API is ready and its database responds: uptime is computed from this history. */
@Injectable()
export class Heartbeat {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
  ) {}

  /** Never rejects. */
  @Interval(INTERVAL_MS)
  async beat(): Promise<void> {
    if (!this.lifecycle.ready) return;
    await this.rounds.make('heartbeat', () => beat(this.database, this.clock.now()));
  }
}
