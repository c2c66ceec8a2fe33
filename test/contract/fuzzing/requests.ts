import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import type { Components, JsonSchema } from '../../../src/start/openapi/schema.js';
import { fromSchema, PICK, wildText, wildValue } from './from-schema.js';

/** Whose credentials a request carries: those the operation asks for, another tenant's, none, or nonsense. */
export type Credentials = 'right' | 'other' | 'none' | 'wrong';

export interface FuzzRequest {
  readonly method: string;
  /** Path as in the document. */
  readonly route: string;
  /** Values of its parameters, in order; ids may be placeholders. */
  readonly pathValues: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly value: unknown };
  readonly credentials: Credentials;
  /** Whether the query has a parameter twice, or one that the operation does not have. */
  readonly strayQuery: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: JsonSchema;
}

interface FuzzedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { schema?: JsonSchema; example?: unknown }> };
}

/** Requests to every operation of the document, most of them right in most parts, all of them strange in some. */
export function requestsOf(document: OpenAPIObject): fc.Arbitrary<FuzzRequest> {
  const components = (document.components?.schemas ?? {}) as Components;
  const operations = Object.entries(document.paths).flatMap(([route, item]) =>
    Object.entries(item as Record<string, FuzzedOperation>).map(([method, operation]) =>
      requestOf(route, method.toUpperCase(), operation, components),
    ),
  );
  return fc.oneof(...operations);
}

function requestOf(
  route: string,
  method: string,
  operation: FuzzedOperation,
  components: Components,
): fc.Arbitrary<FuzzRequest> {
  const named = (place: string): Parameter[] => (operation.parameters ?? []).filter((one) => one.in === place);
  const pathValues = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const schema = named('path').find((parameter) => parameter.name === name)?.schema;
    const right = schema?.enum ? fromSchema(schema, components).map(String) : fc.nat(1_000_000).map((n) => PICK + n);
    return fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: wildText() });
  });
  const names = new Set(named('query').map((parameter) => parameter.name));
  const whole = fc.record(
    {
      method: fc.constant(method),
      route: fc.constant(route),
      pathValues: fc.tuple(...pathValues),
      query: queryOf(named('query'), components),
      headers: headersOf(named('header')),
      body: bodyOf(operation, components),
      credentials: fc.oneof(
        { weight: 12, arbitrary: fc.constant<Credentials>('right') },
        { weight: 3, arbitrary: fc.constant<Credentials>('other') },
        { weight: 1, arbitrary: fc.constantFrom<Credentials>('none', 'wrong') },
      ),
    },
    { requiredKeys: ['method', 'route', 'pathValues', 'query', 'headers', 'credentials'] },
  );
  return whole.map((request) => {
    const given = request.query.map(([name]) => name);
    const strayQuery = given.some((name) => !names.has(name)) || new Set(given).size < given.length;
    return { ...request, strayQuery };
  });
}

function queryOf(parameters: readonly Parameter[], components: Components): fc.Arbitrary<[string, string][]> {
  const known = parameters.map((parameter) => {
    const right = fromSchema(parameter.schema ?? {}, components).map(asText);
    const value = fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: wildText() });
    const given = fc.tuple(fc.constant(parameter.name), value).map((pair): [string, string][] => [pair]);
    const repeated = fc.tuple(given, given).map(([first, second]) => [...first, ...second]);
    return fc.oneof(
      { weight: parameter.required === true ? 1 : 8, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 6, arbitrary: given },
      { weight: 1, arbitrary: repeated },
    );
  });
  const unknown = fc.oneof(
    { weight: 19, arbitrary: fc.constant<[string, string][]>([]) },
    { weight: 1, arbitrary: fc.tuple(wildText(), wildText()).map((pair): [string, string][] => [pair]) },
  );
  return fc.tuple(...known, unknown).map((lists) => lists.flat());
}

/** Header values are bytes; what the client library itself refuses is not worth sending. */
function headersOf(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const value = fc.string({ maxLength: 300 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim());
  const names = ['accept', ...parameters.map((parameter) => parameter.name.toLowerCase())];
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ accept: 'text/csv' }, { accept: 'image/svg+xml' }, { accept: 'image/png' }),
    },
  );
}

function bodyOf(operation: FuzzedOperation, components: Components): fc.Arbitrary<{ type: string; value: unknown }> {
  const content = Object.entries(operation.requestBody?.content ?? {});
  if (content.length === 0) return fc.record({ type: fc.constant('application/json'), value: wildValue() });
  return fc.oneof(
    ...content.map(([type, { schema, example }]) => {
      const right =
        type.includes('json') && !type.includes('ndjson')
          ? fromSchema(schema ?? {}, components)
          : fc.constant(asText(example ?? ''));
      const value = fc.oneof(
        { weight: 5, arbitrary: right },
        {
          weight: 4,
          arbitrary: fc.tuple(right, fc.nat(1_000), wildValue()).map(([body, at, wild]) => damaged(body, at, wild)),
        },
        { weight: 1, arbitrary: wildValue() },
      );
      const types = fc.oneof(
        { weight: 15, arbitrary: fc.constant(type) },
        { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/json') },
      );
      return fc.record({ type: types, value });
    }),
  );
}

/** The body with one of its members, at some depth, replaced, or with one more. */
function damaged(body: unknown, at: number, wild: unknown): unknown {
  if (typeof body === 'string')
    return body.slice(0, at % (body.length + 1)) + asText(wild) + body.slice((at % (body.length + 1)) + 1);
  if (typeof body !== 'object' || body === null) return wild;
  const names = [...Object.keys(body), 'unknown_member'];
  const name = names[at % names.length]!;
  const inner = (body as Record<string, unknown>)[name];
  const value = typeof inner === 'object' && inner !== null && at % 2 === 0 ? damaged(inner, at >> 1, wild) : wild;
  return Array.isArray(body) ? [...(body as unknown[]), wild] : { ...body, [name]: value };
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
