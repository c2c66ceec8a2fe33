export { COMMUNITY_ENTITIES } from './community.entities.js';
export { CommunityModule } from './community.module.js';
