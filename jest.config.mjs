/** Unit specs sit beside the code; end-to-end suites in test/ share one embedded PostgreSQL started in globalSetup. */
import { readFileSync } from 'node:fs';

// The build leaves specs out (`exclude` in .swcrc); here they are what is compiled.
const { exclude: _specs, ...swc } = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data', '<rootDir>/clients'],
};
const unit = { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,config,bench,training}/**/*.spec.ts'] };
const e2e = {
  ...shared,
  displayName: 'e2e',
  testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
const faults = { ...e2e, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.fault-spec.ts'] };
const browser = { ...e2e, displayName: 'browser', testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'] };
/** Suites that kill processes take minutes (`npm run test:faults`); the browser's needs Chromium (`npm run test:browser`). */
const chosen =
  process.env.JEST_FAULTS === 'on' ? [faults] : process.env.JEST_BROWSER === 'on' ? [browser] : [unit, e2e];
// A start of the service takes seconds on a busy machine; suites wait as much as they work, so two cores carry three.
// No test is judged by its speed: the limit ends what hangs.
// Jest keeps the ES modules of every suite that a worker has run (50 MB each): a worker is replaced before that slows it down.
export default { projects: chosen, maxWorkers: 3, workerIdleMemoryLimit: '1GB', testTimeout: 600_000 };
