import { afterEach, beforeEach } from '@jest/globals';
import type { PlatformServer } from './platform-server.js';

/** Runs a new platform for each test of the surrounding `describe`. @returns what stands for that of the test at hand */
export function platformOfEachTest<Server extends PlatformServer>(make: () => Server): Server {
  let running: Server | undefined;
  beforeEach(async () => {
    running = await make().start();
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  const atHand = (): Server => {
    if (!running) throw new Error('the platform runs during tests only');
    return running;
  };
  return new Proxy({} as Server, {
    get: (_target, member) => {
      const value: unknown = Reflect.get(atHand(), member, atHand());
      return typeof value === 'function' ? (value.bind(atHand()) as unknown) : value;
    },
    set: (_target, member, value) => Reflect.set(atHand(), member, value, atHand()),
  });
}
