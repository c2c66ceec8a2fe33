import { Global, Module } from '@nestjs/common';
import { Backlogs } from './backlogs.js';

/** The gauges of work in the database. The {@link Metrics} themselves are made before any module. */
@Global()
@Module({ providers: [Backlogs], exports: [Backlogs] })
export class MetricsModule {}
