import type { FastifyReply } from 'fastify';
import { ODATA_HEADERS } from '../../platform/http/odata.js';
import type { FeedEntity, FeedPage } from '../feed.service.js';
import type { DataFormat } from './reply-format.js';

/** The style in which a JSON response is written. */
export interface ReplyStyle extends DataFormat {
  /** Absolute URL of the feed. */
  readonly root: string;
}

export function sendJson(reply: FastifyReply, { metadata, ieee754 }: ReplyStyle, body: string): FastifyReply {
  const type = `application/json;odata.metadata=${metadata}${ieee754 ? ';IEEE754Compatible=true' : ''};charset=utf-8`;
  return reply.headers(ODATA_HEADERS).type(type).send(body);
}

export function sendText(reply: FastifyReply, type: string, body: string): FastifyReply {
  return reply.headers(ODATA_HEADERS).type(`${type};charset=utf-8`).send(body);
}

/** @param next absolute URL of the next page */
export function pageJson(style: ReplyStyle, page: FeedPage, next: string | undefined): string {
  const members = [
    ...contextMember(style, page.context),
    ...(page.count === undefined ? [] : [`"@odata.count":${style.ieee754 ? `"${page.count}"` : page.count}`]),
    `"value":[${page.rows.join(',')}]`,
    ...(next === undefined ? [] : [`"@odata.nextLink":${JSON.stringify(next)}`]),
  ];
  return `{${members.join(',')}}`;
}

export function entityJson(style: ReplyStyle, { context, row }: FeedEntity): string {
  const own = row.slice(1, -1);
  const members = [...contextMember(style, context), ...(own === '' ? [] : [own])];
  return `{${members.join(',')}}`;
}

const contextMember = ({ root, metadata }: ReplyStyle, context: string): string[] =>
  metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(`${root}/$metadata#${context}`)}`];
