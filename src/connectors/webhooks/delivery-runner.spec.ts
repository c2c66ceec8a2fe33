import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../platform/database/database.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import type { Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/work/rounds.js';
import type { DeliveryReader } from './delivery-reader.js';
import { DeliveryRunner } from './delivery-runner.js';

describe('the processing of the notifications of a connector', () => {
  it('deletes surplus ones again and again', async () => {
    const delivery = { organizationId: 'O', workspaceId: 'W', connectorId: 'C' };
    let waiting = 250;
    let deletions = 0;
    const ended = Promise.withResolvers<void>();
    const query = (): Promise<unknown[]> => {
      if (waiting === 0) ended.resolve();
      return Promise.resolve(waiting-- > 0 ? [delivery] : []);
    };
    const execute = (): Promise<number> => Promise.resolve((deletions += 1));
    const logger = {} as Logger;
    const runner = new DeliveryRunner(
      { query, execute } as unknown as Database,
      { read: () => Promise.resolve(0) } as unknown as DeliveryReader,
      new Rounds(new Lifecycle(), logger),
      logger,
    );
    await runner.round();
    await ended.promise;
    expect(deletions).toBe(3);
  });
});
