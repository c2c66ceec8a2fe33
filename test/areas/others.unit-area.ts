import { runSpecs } from '../support/unit-areas.js';

await runSpecs('others');
