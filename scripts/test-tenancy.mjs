// The tenancy suites of `npm test`, with every statement of the service changed by itself to one that omits its tenant, and tried with
// every call that sends it: `npm test` changes some (TENANCY_STATEMENTS), tried with a few calls each (TENANCY_CALLS).
import { runJest } from './run-jest.mjs';

runJest(['test/tenancy', '--selectProjects', 'e2e'], { TENANCY_STATEMENTS: 'Infinity', TENANCY_CALLS: 'Infinity' });
