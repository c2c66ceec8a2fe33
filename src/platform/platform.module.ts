import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { Clock } from './clock.js';
import type { Secrets } from './crypto/secrets.js';
import { Lifecycle } from './lifecycle.js';
import { LOGGER, type Logger } from './logging/logger.js';
import { Metrics } from './metrics/metrics.js';
import { Rounds } from './work/rounds.js';

/** Injection tokens of the typed settings and the installation's secrets. */
export const SETTINGS = Symbol('settings');
export const SECRETS = Symbol('secrets');

/** Created before any module. */
export interface PlatformOptions {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
}

/** What every module may inject: settings, secrets, clock, logger, lifecycle, metrics, rounds. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot({ settings, secrets, logger, lifecycle, metrics }: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        Clock,
        { provide: SETTINGS, useValue: settings },
        { provide: SECRETS, useValue: secrets },
        { provide: LOGGER, useValue: logger },
        { provide: Lifecycle, useValue: lifecycle },
        { provide: Metrics, useValue: metrics },
        Rounds,
      ],
      exports: [Clock, SETTINGS, SECRETS, LOGGER, Lifecycle, Metrics, Rounds],
    };
  }
}
