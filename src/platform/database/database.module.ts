import { MikroORM } from '@mikro-orm/postgresql';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Settings } from '../../../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { Database } from './database.js';
import { ormOptions } from './setup/orm-options.js';

/**
 * Data is read and written with hand-written SQL, so no entities are needed here; discovering them would take a fifth of the
 * startup time.
 */
const NO_SCHEMA = { entities: [], migrations: [] };

/** Gives every module the {@link Database}; the ORM owns the pool and closes it at shutdown. */
@Global()
@Module({})
export class DatabaseModule {
  static async forRoot(url: string, settings: Settings): Promise<DynamicModule> {
    return {
      module: DatabaseModule,
      imports: [
        await MikroOrmModule.forRoot({
          ...ormOptions(NO_SCHEMA, url, settings.DATABASE_POOL),
          registerRequestContext: false,
        }),
      ],
      providers: [
        {
          provide: Database,
          inject: [MikroORM, Metrics],
          useFactory: async (orm: MikroORM, metrics: Metrics) => {
            await orm.connect();
            const connections: Pool = await orm.em.getConnection().getNativeClient();
            measurePool(connections, metrics);
            return new Database(connections, undefined, {
              awaited: settings.REQUEST_STATEMENT_SECONDS * 1_000,
              work: settings.WORK_STATEMENT_SECONDS * 1_000,
            });
          },
        },
      ],
      exports: [Database],
    };
  }
}

function measurePool(pool: Pool, metrics: Metrics): void {
  metrics.gaugeByState('database_connections', 'Database connections of this process.', () => ({
    in_use: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
  }));
  metrics.gauge(
    'database_connections_max',
    'Maximum number of connections of this process: DATABASE_POOL.',
    () => pool.options.max,
  );
  metrics.gauge('database_waiting', 'Operations waiting for a connection.', () => pool.waitingCount);
}
