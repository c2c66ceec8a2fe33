import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOkResponse, type ApiResponseOptions } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { linkNext, type Page } from './pagination.js';

/** Documents the reply of a paginated list, with its Link to the next page. */
export const ApiPage = (reply: ApiResponseOptions): MethodDecorator =>
  ApiOkResponse({
    ...reply,
    headers: {
      Link: { description: 'The next page, with `rel="next"`; omitted on the last page.', schema: { type: 'string' } },
      ...reply.headers,
    },
  });

class PageSender implements NestInterceptor<Page<unknown>, readonly unknown[]> {
  intercept(context: ExecutionContext, next: CallHandler<Page<unknown>>): Observable<readonly unknown[]> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return next.handle().pipe(
      map((page) => {
        linkNext(request, reply, page.next);
        return page.items;
      }),
    );
  }
}

/** For a handler that returns a {@link Page}: sends its items as a bare array with a Link to the next page, and documents both. */
export const Paged = (reply: ApiResponseOptions): MethodDecorator =>
  applyDecorators(ApiPage(reply), UseInterceptors(PageSender));
