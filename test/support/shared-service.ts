import { afterAll } from '@jest/globals';
import { startTestService, type TestService, type TestServiceOptions } from './test-service.js';

/** Running services by the options that they were started with. */
const running = new Map<string, Promise<TestService>>();
afterAll(async () => {
  for (const service of running.values()) await (await service).close();
});

/**
 * A service that the suites of a file share: the first that asks for it starts it, and it is closed after the last. It is for suites that
 * look at tenants of their own alone, and that leave no mock, no lock and nothing due behind; others start their own.
 */
export function sharedService(options: TestServiceOptions = {}): Promise<TestService> {
  const key = JSON.stringify(options);
  const known = running.get(key);
  if (known) return known;
  const service = startTestService(options);
  running.set(key, service);
  service.catch(() => running.delete(key)); // the next suite tries again
  return service;
}
