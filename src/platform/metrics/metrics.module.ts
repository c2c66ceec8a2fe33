import { Global, Module } from '@nestjs/common';
import { Backlogs } from './backlogs.js';

/** What modules tell of the work in the database; the {@link Metrics} themselves are there before any module. */
@Global()
@Module({ providers: [Backlogs], exports: [Backlogs] })
export class MetricsModule {}
