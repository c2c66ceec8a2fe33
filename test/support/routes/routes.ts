import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ACCESS_DECLARATION, type AccessDeclaration } from '../../../src/platform/http/access-declaration.js';

export interface Route {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly declaration: AccessDeclaration;
}

/** Every route of the service, from the controllers' own metadata. */
export function routesOf(app: NestFastifyApplication): Route[] {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const discovery = app.get(DiscoveryService, { strict: false });
  return discovery.getControllers().flatMap(({ metatype }) => {
    const controller = metatype as new () => unknown;
    const prototype = controller.prototype as Record<string, () => unknown>;
    const bases = [reflector.get<string | string[]>(PATH_METADATA, controller)].flat();
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name]!;
      const paths = reflector.get<string | string[] | undefined>(PATH_METADATA, handler);
      if (paths === undefined) return [];
      const method = RequestMethod[reflector.get<RequestMethod>(METHOD_METADATA, handler)];
      const declaration = reflector.getAllAndOverride<AccessDeclaration>(ACCESS_DECLARATION, [handler, controller]);
      return bases.flatMap((base) =>
        [paths].flat().map((path) => ({
          method,
          declaration,
          path: `/${base}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1'),
        })),
      );
    });
  });
}
