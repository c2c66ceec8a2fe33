export { CommunityModule } from './community.module.js';
