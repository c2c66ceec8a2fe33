import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { loadSettings } from '../../../config/settings.js';
import { AppModule } from '../../app.module.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { createLogger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { buildOpenApi } from './openapi.js';

/** The OpenAPI document from the routes alone: in preview mode Nest instantiates no providers, so nothing is connected. */
export async function documentWithoutDatabase(): Promise<OpenAPIObject> {
  const settings = loadSettings({ LOG_LEVEL: 'silent' });
  const module = await AppModule.forRoot({
    settings,
    secrets: { apiKeyPepper: '', encryptionKey: Buffer.alloc(32), databasePassword: '' },
    databaseUrl: 'postgres://nowhere.invalid/none',
    role: 'all',
    logger: createLogger(settings),
    lifecycle: new Lifecycle(),
    metrics: new Metrics(),
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return buildOpenApi(app);
}
