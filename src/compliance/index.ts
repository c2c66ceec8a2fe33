export { ComplianceModule } from './compliance.module.js';
