export { ConnectorsModule } from './connectors.module.js';
export { MAX_RENEWAL_MS } from './credentials/sessions.js';
