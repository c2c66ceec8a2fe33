import { SchedulerRegistry } from '@nestjs/schedule';
import type { TestService } from './test-service.js';

/** Ends what the service does by itself every half minute or less often: only what a test asks for is done then. */
export function stopIntervals({ app }: TestService): void {
  const registry = app.get(SchedulerRegistry, { strict: false });
  for (const name of registry.getIntervals()) registry.deleteInterval(name);
}
