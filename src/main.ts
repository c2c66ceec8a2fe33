import 'reflect-metadata';
import { isatty } from 'node:tty';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Command, Option } from 'commander';
import { loadSettings, type Settings } from '../config/settings.js';
import { anyOrganizationExists } from './access/organizations/organizations.queries.js';
import { ROLES, type Role } from './app.module.js';
import { MAX_RENEWAL_MS } from './connectors/index.js';
import { Clock } from './platform/clock.js';
import { loadSecrets, type Secrets } from './platform/crypto/secrets.js';
import { Database } from './platform/database/database.js';
import { asSystem } from './platform/database/scope.js';
import { DRAINING_MS } from './platform/http/server/draining-adapter.js';
import { Lifecycle } from './platform/lifecycle.js';
import { createLogger, type Logger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import { measureProcess } from './platform/metrics/process-metrics.js';
import { SECRETS, SETTINGS } from './platform/platform.module.js';
import { banner } from './start/banner.js';
import { createApp } from './start/create-app.js';
import { type DemoAccess, ensureDemoOrganization, noteDemo, readDemoAccess } from './start/demo/access.js';
import { loadDemo, stateOfDemo } from './start/demo/load.js';
import { listenForScrapes } from './start/metrics-listener.js';
import { openDatabase } from './start/open-database.js';
import { operatorFault } from './start/operator-fault.js';
import { checkPort, listenOnAll } from './start/port.js';
import { checkRedis } from './start/redis.js';

/**
 * Milliseconds after which a graceful stop is given up. Renewed tokens that are not yet stored would be lost, and a renewal may begin
 * while requests are drained.
 */
const STOP_DEADLINE_MS = DRAINING_MS + MAX_RENEWAL_MS + 2_000;

/** Functions that stop what has been started, to be called in reverse order. */
const started: (() => Promise<void>)[] = [];

/** Stops everything that has been started, even if a part of it cannot be stopped. */
async function stopAll(logger: Logger): Promise<void> {
  for (const stop of started.splice(0).reverse()) {
    await stop().catch((error: unknown) => logger.error({ err: error }, 'a part of the service could not be stopped'));
  }
}

async function start(role: Role, settings: Settings, lifecycle: Lifecycle, logger: Logger): Promise<void> {
  const secrets = loadSecrets(settings);
  await checkPort(settings.HOST, settings.PORT);
  if (settings.REDIS_URL !== undefined) await checkRedis(settings.REDIS_URL);
  const metrics = new Metrics();
  if (settings.METRICS_PORT !== undefined) {
    measureProcess(metrics, role, lifecycle);
    const scraped = await listenForScrapes(
      { host: settings.METRICS_HOST, port: settings.METRICS_PORT },
      metrics,
      logger,
    );
    started.push(() => scraped.close());
  }
  const database = await openDatabase(settings, secrets, logger);
  started.push(() => database.release());
  if (database.warning !== undefined) logger.warn(database.warning);
  const app = await createApp({ settings, secrets, databaseUrl: database.url, role, logger, lifecycle, metrics });
  started.push(() => app.close());
  await listenOnAll(app, settings.HOST, settings.PORT, logger);
  lifecycle.markReady();
  const url = await app.getUrl();
  logger.info({ url, role }, 'listening');
  if (role !== 'worker') await welcome(app, url);
}

async function main(role: Role): Promise<void> {
  // output that cannot be written (a full disk, a closed pipe) is no reason to end
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const settings = loadSettings();
  const logger = createLogger(settings);
  const lifecycle = new Lifecycle();
  const starting = start(role, settings, lifecycle, logger);

  let stopping: Promise<void> | undefined;
  /** Turns readiness off, drains requests, and stops workers, queues, connections, the database and metrics, in this order. */
  const stop = async (signal: string): Promise<void> => {
    logger.info({ signal }, 'stopping');
    lifecycle.markDraining();
    setTimeout(() => {
      logger.fatal('the graceful shutdown timed out');
      process.exit(1);
    }, STOP_DEADLINE_MS).unref();
    // a connection lost while it is being closed may have no listener any more (the queue's), which must not cut the stop short
    process.on('uncaughtException', (error) => logger.warn({ err: error }, 'an error occurred while stopping'));
    // a start in progress cannot be undone: wait until it has succeeded or failed
    await starting.catch((error: unknown) => logger.error({ err: error }, 'the start failed'));
    await stopAll(logger);
    process.exit(0);
  };
  // A closed terminal ends what runs in it. A process without one is meant to outlive it: nohup redirects all three streams. That it
  // also ignores SIGHUP does not help, since Node does not inherit that.
  const inTerminal = [0, 1, 2].some((stream) => isatty(stream));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && !inTerminal) return;
      stopping ??= stop(signal); // Ctrl-C may arrive twice: from the terminal and from the parent process
    });
  }

  try {
    await starting;
  } catch (error) {
    if (stopping) return;
    lifecycle.markDraining();
    await stopAll(logger);
    throw error;
  }
}

/** Prints how to reach the service and, if the demo is offered, its key. */
async function welcome(app: NestFastifyApplication, url: string): Promise<void> {
  const { DATA_DIR, DEMO } = app.get<Settings>(SETTINGS);
  const database = app.get(Database);
  const secrets = app.get<Secrets>(SECRETS);
  if (DEMO === 'on') await ensureDemoOrganization(database, secrets, DATA_DIR, app.get(Clock).now());
  const demo = readDemoAccess(DATA_DIR);
  if (demo) await noteDemo(database, demo);
  const offered = DEMO === 'on' && demo ? await openDemo(app, url, demo) : undefined;
  const made = await asSystem('banner', () => anyOrganizationExists(database));
  if (!app.get(Lifecycle).draining) process.stdout.write(banner(url, offered, made));
}

/**
 * Loads the demo unless it is loaded; continues if an earlier start was interrupted.
 * @returns its access; undefined if its key does not work from here
 */
async function openDemo(app: NestFastifyApplication, url: string, demo: DemoAccess): Promise<DemoAccess | undefined> {
  const lifecycle = app.get(Lifecycle);
  const state = await stateOfDemo(url, demo);
  if (state === 'unfinished') await loadDemo(url, demo, app.get(Clock).now(), () => lifecycle.draining);
  return state === 'closed' ? undefined : demo;
}

const options = new Command('demand-forecasting-service')
  .addOption(new Option('--role <role>', 'the role of this process').choices([...ROLES]).default('all'))
  .parse()
  .opts<{ role: Role }>();

main(options.role).catch((error: unknown) => {
  const told = operatorFault(error);
  const stack = error instanceof Error ? error.stack : undefined;
  process.stderr.write(`cannot start: ${told?.split('\n').join('\ncannot start: ') ?? stack ?? String(error)}\n`);
  process.exit(1);
});
