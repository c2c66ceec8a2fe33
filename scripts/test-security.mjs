// The security suites of `npm test`, and 1,000 wrong passwords (WRONG_PASSWORDS): prints how far they are slowed, and whether
// the time of the replies tells known from unknown accounts, which only a machine with nothing else to do can say.
import { runJest } from './run-jest.mjs';

runJest([], { JEST_SECURITY: 'on' });
