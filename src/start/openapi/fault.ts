import { oneOfFault } from '../../platform/http/rules/one-of.js';
import { wholeNumberFault } from '../../platform/http/rules/whole-number.js';
import { type Components, type JsonSchema, resolve } from './schema.js';
import type { Operation } from './operation.js';

/** An error that a refusal reports for one parameter or body field. */
export interface Fault {
  readonly param: string;
  readonly message: string;
}

/** The error that any route reports for an unknown parameter. */
export const UNKNOWN_PARAMETER: Fault = { param: 'verbose', message: 'is not a known parameter' };

/** An error that callers of the operation can make, in one of its parameters or body fields. */
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

/** The error for a value of the wrong type or out of range. */
function faultOf({ type: types = 'object', enum: values, minimum, maximum }: JsonSchema): string {
  const type = typeof types === 'string' ? types : types.find((name) => name !== 'null');
  if (type === 'string' && values) return oneOfFault(values);
  if (minimum !== undefined && maximum !== undefined)
    return type === 'integer'
      ? wholeNumberFault({ minimum, maximum })
      : `must be a number from ${minimum} to ${maximum}`;
  return `must be ${KINDS[type ?? 'object'] ?? 'a JSON object'}`;
}
