import { MikroORM } from '@mikro-orm/postgresql';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Database } from './database.js';
import { ormOptions, type SchemaSource } from './orm-options.js';

/** Gives every module the {@link Database}; the ORM owns the pool and closes it at shutdown. */
@Global()
@Module({})
export class DatabaseModule {
  static async forRoot(schema: SchemaSource, url: string, pool: number): Promise<DynamicModule> {
    return {
      module: DatabaseModule,
      imports: [await MikroOrmModule.forRoot({ ...ormOptions(schema, url, pool), registerRequestContext: false })],
      providers: [
        {
          provide: Database,
          inject: [MikroORM],
          useFactory: async (orm: MikroORM) => {
            await orm.connect();
            return new Database(await orm.em.getConnection().getNativeClient());
          },
        },
      ],
      exports: [Database],
    };
  }
}
