import Negotiator from 'negotiator';
import { Problem } from './problem.js';

/**
 * The media type to answer with, by the Accept header.
 * @param offered what the route can answer; the first is the default
 * @throws {Problem} 406 when the caller accepts none of them
 */
export function negotiate<Type extends string>(accept: string | undefined, offered: readonly [Type, ...Type[]]): Type {
  const chosen = new Negotiator({ headers: { accept } }).mediaType([...offered]);
  if (chosen === undefined) throw new Problem(406, 'not_acceptable', `This route answers ${offered.join(' or ')}.`);
  return chosen as Type;
}
