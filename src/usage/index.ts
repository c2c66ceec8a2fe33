export { USAGE_ENTITIES } from './usage.entities.js';
