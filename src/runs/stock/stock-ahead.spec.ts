import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import type { Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/work/rounds.js';
import type { SafetyStocks } from './safety-stocks.js';
import { StockAhead } from './stock-ahead.js';

describe('a round of the safety stock that is missing', () => {
  const workspaces = ['A', 'B', 'C'].map((workspaceId) => ({ organizationId: 'O', workspaceId }));
  let lifecycle: Lifecycle;
  let asked: string[];
  const round = async (work: (workspaceId: string) => void, plan = 'growth'): Promise<void> => {
    const query = (sql: string) => Promise.resolve(sql.includes('random()') ? workspaces : [{ plan }]);
    const complete = ({ workspaceId }: WorkspaceTenant): Promise<void> => {
      asked.push(workspaceId);
      return Promise.resolve(work(workspaceId));
    };
    const logger = { warn: () => undefined } as unknown as Logger;
    const rounds = new Rounds(lifecycle, logger);
    const database = { query } as unknown as Database;
    await new StockAhead(database, { complete } as unknown as SafetyStocks, lifecycle, rounds, logger).round();
  };
  beforeEach(() => {
    lifecycle = new Lifecycle();
    asked = [];
  });

  it('goes on with the other workspaces after one that cannot be computed', async () => {
    await round((workspaceId) => {
      if (workspaceId === 'A') throw new Error('out of range');
    });
    expect(asked).toEqual(['A', 'B', 'C']);
  });

  it('computes none for a plan without the feed, whose run may have completed just now', async () => {
    await round(() => undefined, 'starter');
    expect(asked).toEqual([]);
  });

  it('ends with the workspace in progress when the process stops', async () => {
    await round((workspaceId) => {
      if (workspaceId === 'B') lifecycle.markDraining();
    });
    expect(asked).toEqual(['A', 'B']);
  });
});
