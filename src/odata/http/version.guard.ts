import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../platform/http/problem.js';

/** A version; older .NET clients append a user agent after a semicolon. */
const VERSION = /^(\d{1,3}(?:\.\d{1,3})?)(?:;.*)?$/;
const MIN_VERSION = 4;

/**
 * Rejects clients that do not understand OData 4.0, the only version of the feed (OData 4.01 part 1, sections 8.1.5 and 8.2.7). Clients of
 * later versions understand it too. `MaxDataServiceVersion`, which Power BI also sends, belongs to OData 3 and is ignored.
 */
export class ODataVersionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const faults = ['OData-Version', 'OData-MaxVersion'].flatMap((param) => {
      const given = headers[param.toLowerCase()];
      if (given === undefined || Number(VERSION.exec(String(given).trim())?.[1]) >= MIN_VERSION) return [];
      return [{ param, message: 'must be 4.0 or higher; the feed uses OData 4.0' }];
    });
    if (faults.length > 0) throw Problem.invalid(faults);
    return true;
  }
}
