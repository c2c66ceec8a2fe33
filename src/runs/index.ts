export { RUN_ENTITIES } from './runs.entities.js';
export { RunsModule } from './runs.module.js';
export { BILLED, readErrorPool } from './runs.queries.js';
