export { CONNECTOR_ENTITIES } from './connectors.entities.js';
export { ConnectorsModule } from './connectors.module.js';
export { LONGEST_RENEWAL } from './sessions.js';
