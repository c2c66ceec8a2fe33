import type { Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

/** Retry-After of resources that clients poll: at most once a minute (contract section 1). */
export const POLL_AFTER_SECONDS = '60';

const header = (description: string) => ({ description, schema: { type: 'string' } }) as const;

/** Documents the headers of a response that accepts work: where to poll, and when. @param what its name in the document */
export const acceptedHeaders = (what: string) => ({
  Location: header(`URL of the ${what}.`),
  'Retry-After': header('Seconds to wait before polling.'),
});

/** Documents the response of an operation that reads what clients poll. @param what its name in the document */
export const ApiPolled = (what: string, type: Type): MethodDecorator =>
  ApiOkResponse({
    type,
    headers: {
      'Retry-After': header(`Seconds to wait before polling again. Present while the ${what} is unfinished.`),
    },
  });

/** Sends what clients poll and, while it is unfinished, when to poll again. */
export function sendPolled<Item extends { readonly finished_at: Date | null }>(reply: FastifyReply, item: Item): Item {
  if (item.finished_at === null) void reply.header('retry-after', POLL_AFTER_SECONDS);
  return item;
}
