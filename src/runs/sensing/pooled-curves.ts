import { Injectable } from '@nestjs/common';
import type { PooledShareCurve } from '../../forecasting/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { readPooledCurve } from './share-curves.js';

/** Milliseconds for which a curve is reused: all pages of one listing share it, and new uploads take effect soon enough. */
const CACHE_MS = 5 * MINUTE_MS;
/** Number of cached curves, of a few kilobytes each. */
const KEPT = 500;

interface Entry {
  readonly until: number;
  readonly curve: Promise<PooledShareCurve | undefined>;
}

/** Caches for five minutes how demand accumulates within a month across a workspace; see {@link readPooledCurve}. */
@Injectable()
export class PooledCurves {
  private readonly kept = new Map<string, Entry>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * The curve from the two years before `month`; concurrent callers share one read. Its absence is not cached, so a first upload of
   * daily demand takes effect immediately.
   */
  get(tenant: WorkspaceTenant, month: number): Promise<PooledShareCurve | undefined> {
    const key = `${tenant.organizationId}/${tenant.workspaceId}/${month}`;
    const now = this.clock.now().getTime();
    const known = this.kept.get(key);
    // an expiry further ahead than CACHE_MS was set before the clock was set back
    if (known && known.until > now && known.until <= now + CACHE_MS) return known.curve;
    const entry = { until: now + CACHE_MS, curve: readPooledCurve(this.database, tenant, month) };
    const forget = (): void => {
      if (this.kept.get(key) === entry) this.kept.delete(key);
    };
    entry.curve.then((curve) => {
      if (curve === undefined) forget();
    }, forget);
    this.kept.delete(key); // keeps the map in order of reading
    this.kept.set(key, entry);
    for (const oldest of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(oldest);
    return entry.curve;
  }
}
