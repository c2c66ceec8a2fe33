export { AlertsModule } from './alerts.module.js';
export type { SeriesFindings } from './findings.js';
export { publishFindings, recordFindings } from './record-findings.js';
