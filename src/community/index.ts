export { COMMUNITY_ENTITIES } from './community.entities.js';
