import { migrations } from '../migrations/index.js';
import type { SchemaSource } from './platform/database/orm-options.js';

/** The schema of all modules together, and the migrations that lead to it. */
export const SCHEMA: SchemaSource = { entities: [], migrations };
