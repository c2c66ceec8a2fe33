export { RELEASE_ENTITIES } from './releases.entities.js';
