import { runSpecs } from '../support/unit-areas.js';

await runSpecs('short histories');
