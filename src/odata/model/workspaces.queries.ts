import { type EntitySet, required } from './entity-set.js';

export const WORKSPACES: EntitySet = {
  name: 'Workspaces',
  entityType: 'Workspace',
  key: ['id'],
  properties: [
    required.guid('id'),
    required.string('name'),
    required.string('time_zone'),
    required.instant('created_at'),
  ],
  navigations: [],
  source: `SELECT id, name COLLATE "C" AS name, time_zone COLLATE "C" AS time_zone, created_at
       FROM workspaces
      WHERE workspaces.organization_id = $1 AND ($2::uuid IS NULL OR workspaces.id = $2)`,
};
