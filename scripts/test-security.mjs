// The security suites of `npm test` with 1,000 wrong passwords (WRONG_PASSWORDS): prints how far they are slowed, and
// whether their time tells known from unknown accounts.
import { runJest } from './run-jest.mjs';

runJest(['test/security', '--selectProjects', 'e2e'], { WRONG_PASSWORDS: process.env.WRONG_PASSWORDS ?? '1000' });
