export { RETENTION_ENTITIES } from './retention.entities.js';
export { RetentionModule } from './retention.module.js';
export { previewSweeps } from './sweep.js';
