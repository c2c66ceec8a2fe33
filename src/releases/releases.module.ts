import { Module } from '@nestjs/common';
import { ChangelogImport } from './changelog/changelog-import.js';
import { ChangelogController } from './changelog/changelog.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { NotificationsService } from './notifications/notifications.service.js';
import { ReleasesController } from './releases.controller.js';
import { ReleasesService } from './releases.service.js';

/** Releases of the product: announced by operators or CHANGELOG.md, published on a page, in feeds and as notifications. */
@Module({
  controllers: [ReleasesController, ChangelogController, NotificationsController],
  providers: [ReleasesService, NotificationsService, ChangelogImport],
})
export class ReleasesModule {}
