import { oneOfFault } from '../../platform/http/one-of.js';
import { wholeNumberFault } from '../../platform/http/whole-number.js';
import { type Components, type JsonSchema, resolve } from './schema.js';
import type { Operation } from './operation.js';

/** What a refusal says of one parameter or body field. */
export interface Fault {
  readonly param: string;
  readonly message: string;
}

/** What any route says of a parameter that it does not have. */
export const UNKNOWN_PARAMETER: Fault = { param: 'verbose', message: 'is not a known parameter' };

/** A fault that callers of the operation can make, in a parameter or body field of its own. */
export function exampleFault({ parameters = [], requestBody }: Operation, components: Components): Fault {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const bounded = query.find(({ schema }) => schema?.minimum !== undefined && schema.maximum !== undefined);
  if (bounded) return { param: bounded.name, message: faultOf(bounded.schema ?? {}) };

  const body = resolve(requestBody?.content?.['application/json']?.schema ?? {}, components);
  const missing = body.required?.[0] ?? query.find(({ required }) => required)?.name;
  if (missing !== undefined) return { param: missing, message: 'is required' };

  const [field] = Object.entries(body.properties ?? {});
  if (field) return { param: field[0], message: faultOf(field[1]) };
  return query[0] ? { param: query[0].name, message: 'must be given only once' } : UNKNOWN_PARAMETER;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a string', boolean: 'true or false', array: 'an array' };

/** What a value of another type, or beyond its bounds, is told. */
function faultOf({ type: types = 'object', enum: values, minimum, maximum }: JsonSchema): string {
  const type = typeof types === 'string' ? types : types.find((name) => name !== 'null');
  if (type === 'string' && values) return oneOfFault(values);
  if (minimum !== undefined && maximum !== undefined)
    return type === 'integer'
      ? wholeNumberFault({ minimum, maximum })
      : `must be a number from ${minimum} to ${maximum}`;
  return `must be ${KINDS[type ?? 'object'] ?? 'a JSON object'}`;
}
