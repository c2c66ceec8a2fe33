import { migrations } from '../migrations/index.js';
import { ACCESS_ENTITIES } from './access/index.js';
import type { SchemaSource } from './platform/database/orm-options.js';
import { USAGE_ENTITIES } from './usage/index.js';

/** The schema of all modules together, and the migrations that lead to it. */
export const SCHEMA: SchemaSource = { entities: [...ACCESS_ENTITIES, ...USAGE_ENTITIES], migrations };
