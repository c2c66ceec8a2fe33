// Kills workers and the database at random while runs are computed, for a few minutes. Run it before a release.
import { runJest } from './run-jest.mjs';

runJest([], { JEST_FAULTS: 'on' });
