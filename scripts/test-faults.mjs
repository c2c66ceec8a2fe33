// Kills workers and the database at random while runs are computed; some minutes. Run it before a release.
import { runJest } from './run-jest.mjs';

runJest([], { JEST_FAULTS: 'on' });
