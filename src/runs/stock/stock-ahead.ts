import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { PLAN_NAMES, PLANS } from '../../../config/plans.js';
import { Database } from '../../platform/database/database.js';
import { asTenant, type WorkspaceTenant } from '../../platform/database/scope.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/work/rounds.js';
import { SafetyStocks } from './safety-stocks.js';
import { listLackingWorkspaces, readPlan } from './safety-stocks.queries.js';

/** Milliseconds between checks for safety stock that is missing: after a release with another formula, a change of plan or a crash. */
const INTERVAL_MS = 10 * MINUTE_MS;
const PLANS_WITH_FEED = PLAN_NAMES.filter((name) => PLANS[name].public_api);

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
      for (const workspace of await listLackingWorkspaces(this.database, PLANS_WITH_FEED)) {
        if (this.lifecycle.draining) return;
        await asTenant(workspace, () => this.complete(workspace));
      }
    });
  }

  /** Stores what the latest run of a workspace lacks, if the plan has the feed. Never rejects. */
  async complete({ organizationId, workspaceId }: WorkspaceTenant): Promise<void> {
    try {
      const plan = await readPlan(this.database, organizationId);
      if (plan === undefined || !PLANS_WITH_FEED.includes(plan)) return;
      await this.safetyStocks.complete({ organizationId, workspaceId }, () => this.lifecycle.draining);
    } catch (error) {
      this.logger.warn(
        { err: error, organization_id: organizationId, workspace_id: workspaceId },
        'safety stock could not be computed ahead',
      );
    }
  }
}
