import { type Components, type JsonSchema, resolve } from './schema.js';

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '019a8f3c-0000-7000-8000-000000000001',
  'date-time': '2026-11-21T06:00:00.000Z',
  date: '2026-11-01',
  uri: 'https://example.com/',
  email: 'planner@example.com',
};

/** An example for a schema, composed of the examples, defaults and first enum values of its parts. */
export function exampleOf(reference: JsonSchema, components: Components, depth = 0): unknown {
  const schema = resolve(reference, components);
  const candidates = [schema.example, schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]];
  const given = candidates.find((value) => value !== undefined);
  if (given !== undefined) return given;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  // a time or a reason that may be missing would contradict the state next to it
  if (types.includes('null') && types.includes('string') && schema.format !== 'uuid') return null;
  if (depth > 8) return null;
  const below = (part: JsonSchema): unknown => exampleOf(part, components, depth + 1);

  const alternative = (schema.oneOf ?? schema.anyOf)?.find((part) => part.type !== 'null');
  if (schema.allOf || alternative) {
    const parts = [...(schema.allOf ?? []), ...(alternative ? [alternative] : [])].map(below);
    return parts.every(isObject) ? Object.assign({}, ownProperties(schema, below), ...parts) : parts[0];
  }
  switch (types.find((name) => name !== 'null')) {
    case 'array':
      return [below(schema.items ?? {})];
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? 'text'.repeat(Math.ceil((schema.minLength ?? 1) / 4));
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case undefined:
    case 'object':
      return ownProperties(schema, below);
    default:
      return null;
  }
}

function ownProperties(schema: JsonSchema, below: (part: JsonSchema) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, part]) => [name, below(part)]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
