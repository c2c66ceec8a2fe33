import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS_DECLARATION } from '../../platform/http/access-declaration.js';

/** Refuses to start the service if a route does not declare who may call it. */
@Injectable()
export class DeclarationCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => this.undeclared(metatype as Controller));
    if (open.length > 0) throw new Error(`routes without an access declaration: ${open.join(', ')}`);
  }

  private undeclared(controller: Controller): string[] {
    const prototype = controller.prototype as Record<string, () => unknown>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => {
        const handler = prototype[name]!;
        const isRoute = this.reflector.get<string | undefined>(PATH_METADATA, handler) !== undefined;
        return isRoute && this.reflector.getAllAndOverride(ACCESS_DECLARATION, [handler, controller]) === undefined;
      })
      .map((name) => {
        const method = this.reflector.get<RequestMethod>(METHOD_METADATA, prototype[name]!);
        return `${controller.name}.${name} (${RequestMethod[method]})`;
      });
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a class with any constructor
type Controller = new (...parameters: any[]) => unknown;
