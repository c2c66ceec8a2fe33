import fc from 'fast-check';
import { type Components, type JsonSchema, resolve } from '../../../src/start/openapi/schema.js';

/** Stands for an id that the service has given out; replaced when the request is sent, since ids appear as it runs. */
export const PICK = '@pick:';

const pick = (): fc.Arbitrary<string> => fc.nat(1_000_000).map((n) => `${PICK}${n}`);

/** Texts that have broken parsers, databases and dates before. */
const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '-0',
  '1e400',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '9'.repeat(400),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  "' OR 1=1 --",
  '"; DROP TABLE runs; --',
  '../../../etc/passwd',
  '%',
  '%00',
  'yesterday',
  '2026-02-30',
  '0000-00-00',
  '+275760-09-14T00:00:00Z',
  '2026-11-21T06:00:00+99:99',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
];

export const wildText = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    pick(),
  );

export const wildValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(wildText(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }));

/** Values that fit a JSON Schema. Ids become {@link PICK} placeholders. */
export function fromSchema(reference: JsonSchema, components: Components, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(reference, components);
  const below = (part: JsonSchema): fc.Arbitrary<unknown> => fromSchema(part, components, depth + 1);
  if (depth > 6) return fc.constant(null);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.allOf) return fc.tuple(...schema.allOf.map(below)).map((parts) => Object.assign({}, ...parts) as unknown);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return fc.oneof(...alternatives.map(below));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object']);
  return fc.oneof(...types.map((type) => ofType(type, schema, below)));
}

function ofType(
  type: string,
  schema: JsonSchema,
  below: (part: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Math.ceil(schema.minimum ?? -5), max: Math.floor(schema.maximum ?? 100_000) });
    case 'number': {
      const min = schema.minimum ?? schema.exclusiveMinimum ?? -1e6;
      return fc.double({ min, max: schema.maximum ?? Math.max(min, 1e6), noNaN: true });
    }
    case 'string':
      return text(schema);
    case 'array':
      return fc.array(below(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      });
    default:
      return object(schema, below);
  }
}

function text(schema: JsonSchema): fc.Arbitrary<string> {
  const day = fc.date({ min: new Date('2015-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  if (schema.format === 'uuid') return pick();
  if (schema.format === 'date-time') return day.map((date) => date.toISOString());
  if (schema.format === 'date') return day.map((date) => date.toISOString().slice(0, 10));
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  const limits = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 30, 60) };
  const examples = typeof schema.example === 'string' ? [fc.constant(schema.example)] : [];
  return fc.oneof(fc.string(limits), pick(), ...examples);
}

function object(
  schema: JsonSchema,
  below: (part: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, part]) => [name, below(part)]),
  );
  return fc.record(members, { requiredKeys: [...(schema.required ?? [])] });
}
