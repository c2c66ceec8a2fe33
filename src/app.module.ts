import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AccessModule } from './access/index.js';
import { AlertsModule } from './alerts/index.js';
import { CommunityModule } from './community/index.js';
import { ComplianceModule } from './compliance/index.js';
import { ConnectorsModule } from './connectors/index.js';
import { ODataModule } from './odata/index.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { MailModule } from './platform/mail/mail.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';
import { QueueModule } from './platform/queue/queue.module.js';
import { ReleasesModule } from './releases/index.js';
import { RetentionModule } from './retention/index.js';
import { RunsModule } from './runs/index.js';
import { SCHEMA } from './schema.js';
import { SeriesModule } from './series/index.js';
import { UsageModule } from './usage/index.js';

/** `api` answers HTTP, `worker` computes runs, `all` does both in one process. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export interface AppOptions extends PlatformOptions {
  readonly databaseUrl: string;
  readonly role: Role;
}

/** The composition root: every module of the service in one container. */
@Module({})
export class AppModule {
  static async forRoot(options: AppOptions): Promise<DynamicModule> {
    const { settings, logger, databaseUrl, role } = options;
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(options),
        await DatabaseModule.forRoot(databaseUrl, settings),
        QueueModule.forRoot(databaseUrl, settings.REDIS_URL, logger),
        MetricsModule,
        HealthModule,
        ScheduleModule.forRoot(),
        MailModule,
        AccessModule,
        UsageModule,
        CommunityModule,
        ReleasesModule,
        SeriesModule.forRole({ api: role !== 'worker' }),
        AlertsModule.forRole({ api: role !== 'worker' }),
        RunsModule.forRole({ api: role !== 'worker', worker: role !== 'api' }),
        ConnectorsModule.forRole({ api: role !== 'worker', worker: role !== 'api' }),
        ODataModule.forRole({ api: role !== 'worker' }),
        RetentionModule,
        ComplianceModule.forRole({ api: role !== 'worker', schema: SCHEMA, databaseUrl }),
      ],
    };
  }
}
