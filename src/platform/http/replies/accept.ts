import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Problem } from '../problem.js';

/** Like {@link negotiate}, with the header of the request. Sets `Vary`, on refusals too. */
export function negotiateReply<Type extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  offered: readonly [Type, ...Type[]],
): Type {
  void reply.header('vary', 'accept');
  return negotiate(request.headers.accept, offered);
}

/**
 * The media type to reply with, by the Accept header. Parameters that do not distinguish the offered types, such as a charset, are
 * ignored.
 * @param offered the types that the route can produce; the first is the default
 * @throws {Problem} 406 if the caller accepts none of them
 */
export function negotiate<Type extends string>(accept: string | undefined, offered: readonly [Type, ...Type[]]): Type {
  const names = new Set(['q', ...offered.flatMap((type) => partsOf(type).slice(1).map(nameOf))]);
  // an empty header, which tools send for a field left blank, expresses no preference
  const asked = (accept?.trim() || undefined)
    ?.split(',')
    .map((range) => partsOf(range).filter((part, at) => at === 0 || names.has(nameOf(part))))
    .map((parts) => parts.join(';'))
    .join(',');
  const chosen = new Negotiator({ headers: { accept: asked } }).mediaType([...offered]);
  if (chosen === undefined)
    throw new Problem(406, 'not_acceptable', `This route can only return ${offered.join(' or ')}.`);
  return chosen as Type;
}

/** A media type or range, followed by its parameters. */
const partsOf = (range: string): string[] => range.split(';').map((part) => part.trim().toLowerCase());

const nameOf = (parameter: string): string => parameter.split('=', 1)[0]!.trim();
