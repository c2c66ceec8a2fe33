import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';

/** Refuses a request whose body could not be read, once its caller has passed the guards. */
export class BodyFaultInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { bodyFault } = context.switchToHttp().getRequest<FastifyRequest>();
    if (bodyFault) throw bodyFault;
    return next.handle();
  }
}
