import { Negotiator } from '@fastify/accept-negotiator';
import { Problem } from './problem.js';

/**
 * The media type to answer with, by the Accept header.
 * @param offered what the route can answer; the first is the default
 * @throws {Problem} 406 when the caller accepts none of them
 */
export function negotiate<Type extends string>(accept: string | undefined, offered: readonly [Type, ...Type[]]): Type {
  if (accept === undefined || accept === '') return offered[0];
  const chosen = new Negotiator({ supportedValues: [...offered] }).negotiate(accept);
  if (chosen === null) throw new Problem(406, 'not_acceptable', `This route answers ${offered.join(' or ')}.`);
  return chosen as Type;
}
