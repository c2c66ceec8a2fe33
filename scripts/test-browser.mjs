// Looks at the pages for people in a real Chromium, which must be on the machine; CHROMIUM names it where it is not found.
import { runJest } from './run-jest.mjs';

runJest([], { JEST_BROWSER: 'on' });
