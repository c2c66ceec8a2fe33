export { ReleasesModule } from './releases.module.js';
