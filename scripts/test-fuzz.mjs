// The fuzzing of `npm test` with many more requests (FUZZ_REQUESTS, 100,000) and call sequences (FUZZ_SEQUENCES, 50), with a new seed or
// FUZZ_SEED.
import { runJest } from './run-jest.mjs';

const seed = process.env.FUZZ_SEED ?? String(Date.now() % 2 ** 31);
console.log(`FUZZ_SEED=${seed}`);
runJest(['test/contract/fuzz', 'test/model', '--selectProjects', 'e2e'], {
  FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '100000',
  FUZZ_SEQUENCES: process.env.FUZZ_SEQUENCES ?? '50',
  FUZZ_SEED: seed,
});
