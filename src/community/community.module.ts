import { Module } from '@nestjs/common';
import { CommunityController } from './community.controller.js';
import { BlocksService } from './moderation/blocks.service.js';
import { ModerationController } from './moderation/moderation.controller.js';
import { ModerationService } from './moderation/moderation.service.js';
import { ReportsService } from './moderation/reports.service.js';
import { RepliesService } from './posts/replies.service.js';
import { TopicsService } from './posts/topics.service.js';

/** The community forum, shared by the users of all organizations. */
@Module({
  controllers: [CommunityController, ModerationController],
  providers: [TopicsService, RepliesService, ReportsService, ModerationService, BlocksService],
})
export class CommunityModule {}
