import { Module } from '@nestjs/common';
import { RetentionJob } from './retention-job.js';

/** Deletes what is past an organization's retention, and organizations whose deletion is due. */
@Module({ providers: [RetentionJob] })
export class RetentionModule {}
