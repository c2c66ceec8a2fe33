import { SchedulerRegistry } from '@nestjs/schedule';
import { Rounds } from '../../../src/platform/work/rounds.js';
import type { TestService } from '../test-service.js';

/** Stops the service's periodic work and waits for what is in progress, so that only what a test requests happens afterwards. */
export async function stopIntervals({ app }: TestService): Promise<void> {
  const registry = app.get(SchedulerRegistry, { strict: false });
  for (const name of registry.getIntervals()) registry.deleteInterval(name);
  await app.get(Rounds, { strict: false }).onModuleDestroy();
}
