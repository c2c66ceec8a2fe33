import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { Problem } from './problem.js';

/**
 * Refuses what no pipe looks at, once the caller has been admitted: a body that could not be read, query parameters on
 * routes that take none, and repeated ones, since no route takes a list of them. Routes with a `@Query()` name theirs, and
 * the validation pipe refuses the others, but for names that every object has (`constructor`): class-transformer leaves
 * those out before the pipe sees them.
 */
export class WellFormedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { bodyFault, query } = context.switchToHttp().getRequest<FastifyRequest>();
    if (bodyFault) throw bodyFault;
    const given = query as Readonly<Record<string, string | string[]>>;
    const names = Object.keys(given);
    const unknown = takesQuery(context) ? names.filter((name) => name in Object.prototype) : names;
    const repeated = names.filter((name) => Array.isArray(given[name]) && !unknown.includes(name));
    const faults = [
      ...unknown.map((param) => ({ param, message: 'is not a known parameter' })),
      ...repeated.map((param) => ({ param, message: 'must be given once' })),
    ];
    if (faults.length > 0) throw Problem.invalid(faults);
    return true;
  }
}

function takesQuery(context: ExecutionContext): boolean {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
    {}) as object;
  return Object.keys(args).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
