import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { Clock } from './clock.js';
import type { Secrets } from './crypto/secrets.js';
import { Lifecycle } from './lifecycle.js';
import { LOGGER, type Logger } from './logging/logger.js';

/** Injection tokens of the typed settings and the installation's secrets. */
export const SETTINGS = Symbol('settings');
export const SECRETS = Symbol('secrets');

/** What every module may ask for: settings, secrets, clock, log, lifecycle. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(settings: Settings, secrets: Secrets, logger: Logger, lifecycle: Lifecycle): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        Clock,
        { provide: SETTINGS, useValue: settings },
        { provide: SECRETS, useValue: secrets },
        { provide: LOGGER, useValue: logger },
        { provide: Lifecycle, useValue: lifecycle },
      ],
      exports: [Clock, SETTINGS, SECRETS, LOGGER, Lifecycle],
    };
  }
}
