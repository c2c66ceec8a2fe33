import { Module } from '@nestjs/common';
import { BlocksService } from './blocks.service.js';
import { CommunityController } from './community.controller.js';
import { ModerationController } from './moderation.controller.js';
import { ModerationService } from './moderation.service.js';
import { RepliesService } from './replies.service.js';
import { ReportsService } from './reports.service.js';
import { TopicsService } from './topics.service.js';

/** The community forum, shared by the users of all organizations. */
@Module({
  controllers: [CommunityController, ModerationController],
  providers: [TopicsService, RepliesService, ReportsService, ModerationService, BlocksService],
})
export class CommunityModule {}
