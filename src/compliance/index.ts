export { COMPLIANCE_ENTITIES } from './compliance.entities.js';
export { ComplianceModule } from './compliance.module.js';
