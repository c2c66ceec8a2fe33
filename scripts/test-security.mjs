// The security suites of `npm test`, plus 1,000 wrong passwords (WRONG_PASSWORDS): prints how much they are throttled, and whether response
// times distinguish known from unknown accounts, which only an otherwise idle machine can determine.
import { runJest } from './run-jest.mjs';

runJest([], { JEST_SECURITY: 'on' });
