import { Injectable } from '@nestjs/common';
import type { PooledShareCurve } from '../../forecasting/index.js';
import { Database } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { ReadCache } from '../../platform/work/read-cache.js';
import { readPooledCurve } from './share-curves.js';

/** Milliseconds for which a curve is reused: all pages of one listing share it, and new uploads take effect soon enough. */
const CACHE_MS = 5 * MINUTE_MS;
/** Number of cached curves, of a few kilobytes each. */
const MAX_KEPT = 500;

/** Caches how demand accumulates within a month across a workspace; see {@link readPooledCurve}. */
@Injectable()
export class PooledCurves {
  private readonly cache = new ReadCache<PooledShareCurve>(CACHE_MS, MAX_KEPT);

  constructor(private readonly database: Database) {}

  /** The curve from the two years before `month`; undefined if the workspace has no daily demand. */
  get(tenant: WorkspaceTenant, month: number): Promise<PooledShareCurve | undefined> {
    const key = `${tenant.organizationId}/${tenant.workspaceId}/${month}`;
    return this.cache.get(key, () => readPooledCurve(this.database, tenant, month));
  }
}
