import { runSpecs } from '../support/runner/unit-areas.js';

await runSpecs('forecasting');
