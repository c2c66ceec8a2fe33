/** Unit specs sit beside the code; end-to-end suites in test/ share one embedded PostgreSQL started in globalSetup. */
import { readFileSync } from 'node:fs';

// The build leaves specs out (`exclude` in .swcrc); here they are what is compiled.
const { exclude: _specs, ...swc } = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

const shared = {
  testEnvironment: '<rootDir>/test/support/runner/environment.mjs',
  runtime: '<rootDir>/test/support/runner/runtime.mjs',
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data', '<rootDir>/clients'],
};
// The 3,000 modules of the service are loaded anew for every file, which takes longer than most suites: those of an area are run as one
// file, in the order in which it imports them; knip finds an end-to-end suite that no area imports. Suites that are long by
// themselves are in no area. What is asked for by its path (`jest test/odata/limits`) runs by itself.
const isAsked = (path) => process.argv.slice(2).some((argument) => path.test(argument));
const unit = {
  ...shared,
  displayName: 'unit',
  testMatch: isAsked(/^(\/.*\/)?(src|config|bench|training)\/|^--testPathPatterns/)
    ? ['<rootDir>/{src,config,bench,training}/**/*.spec.ts']
    : ['<rootDir>/test/areas/*.unit-area.ts'],
};
const byPath = isAsked(/^(\/.*\/)?test\/(?!areas)/);
const e2e = {
  ...shared,
  displayName: 'e2e',
  testMatch: byPath
    ? ['<rootDir>/test/**/*.e2e-spec.ts']
    : ['<rootDir>/test/areas/*.e2e-area.ts', '<rootDir>/test/{start/start,tenancy/mutation}.e2e-spec.ts'],
  globalSetup: '<rootDir>/test/support/runner/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/runner/global-teardown.mjs',
};
const faults = { ...e2e, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.fault-spec.ts'] };
const security = {
  ...e2e,
  displayName: 'security',
  testMatch: ['<rootDir>/test/security/**/*.{e2e,security}-spec.ts'],
};
const browser = { ...e2e, displayName: 'browser', testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'] };
/** What a variable chooses in place of `npm test`: suites that take minutes, measure time or need Chromium. */
const bySwitch = { JEST_FAULTS: faults, JEST_SECURITY: security, JEST_BROWSER: browser };
const [chosen] = Object.entries(bySwitch).filter(([name]) => process.env[name] === 'on');
const projects = chosen ? [chosen[1]] : [unit, e2e];
// A start of the service takes seconds on a busy machine; suites wait as much as they work, so two cores carry four.
// No test is judged by its speed, but for those of work that once grew with the square of its input: the limit ends what hangs.
// A process runs one file: what files would share (packages, globals) is set by some of them, such as the backend of BullMQ.
export default {
  projects,
  maxWorkers: 4,
  workerIdleMemoryLimit: 0,
  testTimeout: 600_000,
  testSequencer: '<rootDir>/test/support/runner/areas-first.mjs',
};
