import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PLANS } from '../../../config/plans.js';
import { Database } from '../../platform/database/database.js';
import { asTenant, type Tenant } from '../../platform/database/scope.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/work/rounds.js';
import { SafetyStocks } from './safety-stocks.js';
import { listOrganizationIds, readPlan } from './safety-stocks.queries.js';

/** Milliseconds between checks for safety stock that is missing: after a release with another formula, a change of plan or a crash. */
const INTERVAL_MS = 10 * MINUTE_MS;

/**
 * Stores safety stock before readers of the feed request it: that of 50,000 series takes half a minute, for which many do not wait. Every
 * worker does this. If it is interrupted or fails, readers complete what is missing.
 */
@Injectable()
export class StockAhead {
  constructor(
    private readonly database: Database,
    private readonly safetyStocks: SafetyStocks,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Interval(INTERVAL_MS)
  round(): Promise<void> {
    return this.rounds.make('safety stock', async () => {
      for (const organizationId of await listOrganizationIds(this.database)) {
        const tenant = { organizationId, workspaceId: null };
        await asTenant(tenant, () => this.complete(tenant));
      }
    });
  }

  /** Stores what the tenant's latest runs lack, if its plan has the feed. Never rejects. */
  async complete({ organizationId, workspaceId }: Tenant): Promise<void> {
    try {
      const plan = await readPlan(this.database, organizationId);
      if (plan === undefined || !PLANS[plan].public_api) return;
      await this.safetyStocks.complete({ organizationId, workspaceId }, () => this.lifecycle.draining);
    } catch (error) {
      this.logger.warn(
        { err: error, organization_id: organizationId, workspace_id: workspaceId },
        'safety stock could not be computed ahead',
      );
    }
  }
}
