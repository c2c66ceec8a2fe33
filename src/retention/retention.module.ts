import { Module } from '@nestjs/common';
import { RetentionJob } from './retention-job.js';

/** Deletes what organizations keep no longer, and organizations whose deletion has come due. */
@Module({ providers: [RetentionJob] })
export class RetentionModule {}
