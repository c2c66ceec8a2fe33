import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule, type AppOptions } from '../app.module.js';
import { AllowedMethods } from '../platform/http/server/allowed-methods.js';
import { createFastifyAdapter } from '../platform/http/server/fastify.js';
import { ProblemFilter } from '../platform/http/problem.filter.js';
import { validationPipe } from '../platform/http/validation/validation.js';
import { WellFormedGuard } from '../platform/http/validation/well-formed.guard.js';
import { NestLogger } from '../platform/logging/logger.js';
import { answerOnlyProbes } from './only-probes.js';
import { serveFrontPage } from './front-page.js';
import { roomForClients } from './open-files.js';
import { serveOpenApi } from './openapi/openapi.js';

/** Builds the application, ready to listen; tests and the real process share every step of it. */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { logger, lifecycle, metrics, settings } = options;
  const allowed = new AllowedMethods();
  const adapter = createFastifyAdapter({
    logger,
    metrics,
    draining: () => lifecycle.draining,
    allowed,
    maxConnections: roomForClients(settings, logger),
    publicUrl: settings.PUBLIC_URL,
  });
  const app = await NestFactory.create<NestFastifyApplication>(await AppModule.forRoot(options), adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalGuards(new WellFormedGuard()); // after the access guard, which a module registers
  app.useGlobalPipes(validationPipe());
  app.useGlobalFilters(new ProblemFilter(logger, allowed));
  if (options.role === 'worker') answerOnlyProbes(adapter.getInstance());
  else {
    serveFrontPage(app);
    serveOpenApi(app, settings.PUBLIC_URL);
  }
  try {
    await app.init();
  } catch (error) {
    await app.close().catch(() => undefined); // open connections would keep the process, and the database, from exiting
    throw error;
  }
  return app;
}
