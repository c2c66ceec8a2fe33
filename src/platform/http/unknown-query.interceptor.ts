import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Problem } from './problem.js';

/**
 * Refuses query parameters on routes that take none. Routes with a `@Query()` name theirs, and the validation pipe
 * refuses the others; without one nothing would look at the query string. Names that every object has (`constructor`)
 * are refused here on any route, because class-transformer leaves them out before the pipe sees them.
 */
export class UnknownQueryInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const names = Object.keys(context.switchToHttp().getRequest<FastifyRequest>().query as object);
    const unknown = takesQuery(context) ? names.filter((name) => name in Object.prototype) : names;
    if (unknown.length > 0) {
      throw Problem.invalid(unknown.map((param) => ({ param, message: 'is not a known parameter' })));
    }
    return next.handle();
  }
}

function takesQuery(context: ExecutionContext): boolean {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
    {}) as object;
  return Object.keys(args).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
