export { ACCESS_ENTITIES, organizationReference, workspaceReference } from './access.entities.js';
