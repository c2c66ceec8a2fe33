export { RUN_ENTITIES } from './runs.entities.js';
export { RunsModule } from './runs.module.js';
export { readErrorPool } from './runs.queries.js';
