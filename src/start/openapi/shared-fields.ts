import type { JsonSchema } from './schema.js';

/** Fields that mean the same in all schemas, by name. */
const SHARED_FIELDS: Readonly<Record<string, string>> = {
  id: 'Unique id, which never changes.',
  workspace_id: 'Id of the workspace.',
  run_id: 'Id of the run.',
  time_zone: 'IANA name of the time zone.',
  created_at: 'When it was created.',
  updated_at: 'When it was last changed.',
  edited_at: 'When it was last edited. Null if never.',
  started_at: 'When it started. Null until then.',
  finished_at: 'When it ended. Null until then.',
};

/** Describes the {@link SHARED_FIELDS} of a schema, except those that it describes itself. */
export function describeSharedFields(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema;
  const described = ([name, field]: [string, JsonSchema]): [string, JsonSchema] => {
    const description = field.description ?? SHARED_FIELDS[name];
    return [name, description === undefined ? field : { ...field, description }];
  };
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties).map(described)) };
}
