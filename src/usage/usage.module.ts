import { Module } from '@nestjs/common';
import { UsageController } from './usage.controller.js';

/** Run quotas, their counters, and the metering of what goes beyond. */
@Module({ controllers: [UsageController] })
export class UsageModule {}
