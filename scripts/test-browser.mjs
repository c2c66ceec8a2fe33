// Tests the web pages in a real Chromium, which must be installed; CHROMIUM specifies its path if it is not found.
import { runJest } from './run-jest.mjs';

runJest([], { JEST_BROWSER: 'on' });
