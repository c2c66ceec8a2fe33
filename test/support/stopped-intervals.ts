import { SchedulerRegistry } from '@nestjs/schedule';
import { Rounds } from '../../src/platform/rounds.js';
import type { TestService } from './test-service.js';

/** Ends what the service does by itself again and again, and waits for what it is at: only what a test asks for is done then. */
export async function stopIntervals({ app }: TestService): Promise<void> {
  const registry = app.get(SchedulerRegistry, { strict: false });
  for (const name of registry.getIntervals()) registry.deleteInterval(name);
  await app.get(Rounds, { strict: false }).onModuleDestroy();
}
