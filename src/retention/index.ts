export { RetentionModule } from './retention.module.js';
export { previewSweeps } from './sweep.js';
