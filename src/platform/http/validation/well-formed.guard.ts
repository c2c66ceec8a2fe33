import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { requireChange } from './change.js';
import { rulesByMember } from './dto-members.js';
import { type ParameterFault, Problem } from '../problem.js';

/**
 * Refuses what validation pipes do not see, once the caller has been admitted:
 * - a body that could not be read, a body on a route that takes none, and a PATCH that changes nothing;
 * - query parameters on a route that takes none, and repeated ones, since no route takes a list of values;
 * - query parameters named like a member of every object (`constructor`) or class (`prototype`), which the pipe drops first.
 */
export class WellFormedGuard implements CanActivate {
  /** By handler, whose decorators do not change. */
  private readonly inputs = new WeakMap<object, RouteInput>();

  canActivate(context: ExecutionContext): boolean {
    const { method, body, bodyFault, query, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    if (bodyFault) throw bodyFault;
    const given = query as Readonly<Record<string, string | string[]>>;
    const names = Object.keys(given);
    const { takesQuery, dto } = this.inputOf(context);
    const unknown = takesQuery ? names.filter((name) => name in Object.prototype || name === 'prototype') : names;
    const repeated = names.filter((name) => Array.isArray(given[name]) && !unknown.includes(name));
    const unread = dto === undefined && routeOptions.config.streamBody !== true;
    const faults = [
      ...unknown.map((name) => (dto && rulesByMember(dto).has(name) ? misplacedMember(name) : unknownParameter(name))),
      ...repeated.map((param) => ({ param, message: 'must be given only once' })),
      ...(unread ? faultsOfUnread(body) : []),
    ];
    if (faults.length > 0) throw Problem.invalid(faults);
    if (dto && method === 'PATCH') requireChange(body, dto);
    return true;
  }

  private inputOf(context: ExecutionContext): RouteInput {
    const handler = context.getHandler();
    let input = this.inputs.get(handler);
    if (!input) {
      const takesQuery = argumentOf(context, RouteParamtypes.QUERY) !== undefined;
      input = { takesQuery, dto: argumentOf(context, RouteParamtypes.BODY) };
      this.inputs.set(handler, input);
    }
    return input;
  }
}

/** What a handler takes from a request. */
interface RouteInput {
  readonly takesQuery: boolean;
  /** The class of its body. */
  readonly dto: NewableFunction | undefined;
}

/** The errors for a body on a route that takes none: every member. `{}` is allowed, since many clients send it unasked. */
function faultsOfUnread(body: unknown): ParameterFault[] {
  if (body === undefined) return [];
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return [{ param: 'body', message: 'must be omitted or {}' }];
  }
  return Object.keys(body).map(unknownParameter);
}

function unknownParameter(param: string): ParameterFault {
  return { param, message: 'is not a known parameter' };
}

function misplacedMember(param: string): ParameterFault {
  return { param, message: 'belongs in the body, not in the query' };
}

/** The class of the handler's query or body; undefined if it takes none. */
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
