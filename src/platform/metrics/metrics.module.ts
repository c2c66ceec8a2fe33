import { Global, Module } from '@nestjs/common';
import { Backlogs } from './backlogs.js';

/** Gauges of work in the database. The {@link Metrics} themselves are created before any module. */
@Global()
@Module({ providers: [Backlogs], exports: [Backlogs] })
export class MetricsModule {}
