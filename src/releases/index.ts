export { RELEASE_ENTITIES } from './releases.entities.js';
export { ReleasesModule } from './releases.module.js';
