import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { requireChange } from './change.js';
import { Problem } from './problem.js';

/**
 * Refuses what no pipe looks at, once the caller has been admitted: a body that could not be read, a PATCH that changes
 * nothing, query parameters on routes that take none, and repeated ones, since no route takes a list of them. Routes with
 * a `@Query()` name theirs, and the validation pipe refuses the others, but for names that every object has
 * (`constructor`): class-transformer leaves those out before the pipe sees them.
 */
export class WellFormedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { method, body, bodyFault, query } = context.switchToHttp().getRequest<FastifyRequest>();
    if (bodyFault) throw bodyFault;
    const given = query as Readonly<Record<string, string | string[]>>;
    const names = Object.keys(given);
    const takesQuery = argumentOf(context, RouteParamtypes.QUERY) !== undefined;
    const unknown = takesQuery ? names.filter((name) => name in Object.prototype) : names;
    const repeated = names.filter((name) => Array.isArray(given[name]) && !unknown.includes(name));
    const faults = [
      ...unknown.map((param) => ({ param, message: 'is not a known parameter' })),
      ...repeated.map((param) => ({ param, message: 'must be given once' })),
    ];
    if (faults.length > 0) throw Problem.invalid(faults);
    const dto = method === 'PATCH' ? argumentOf(context, RouteParamtypes.BODY) : undefined;
    if (dto) requireChange(body, dto);
    return true;
  }
}

/** The class of the query or body that the handler takes; undefined where it takes none. */
function argumentOf(context: ExecutionContext, kind: RouteParamtypes): NewableFunction | undefined {
  const [controller, handler] = [context.getClass(), context.getHandler().name];
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) as NewableFunction[];
  const named = Object.keys(args).find((key) => key.startsWith(`${kind}:`));
  return named === undefined ? undefined : types[args[named]!.index];
}
