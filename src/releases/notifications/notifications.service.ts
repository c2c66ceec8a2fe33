import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import type { ListNotificationsDto, MarkReadDto } from '../dto/notifications.dto.js';
import type { NotificationBody } from '../dto/replies.dto.js';
import { findRelease } from '../releases.queries.js';
import { countUnread, latestRelease, listNotifications, markRead, markReadUpTo } from './notifications.queries.js';

@Injectable()
export class NotificationsService {
  constructor(private readonly database: Database) {}

  async list(userId: string, query: ListNotificationsDto): Promise<{ page: Page<NotificationBody>; unread: number }> {
    const page = await idPage('notifications', query, (slice) =>
      listNotifications(this.database, userId, { unreadOnly: query.unread === true, ...slice }),
    );
    return { page, unread: await this.unread(userId) };
  }

  unread(userId: string): Promise<number> {
    return countUnread(this.database, userId);
  }

  /**
   * Marks a notification as read, or all up to one, or all there are.
   * @returns the number left unread
   * @throws {Problem} 400 if more than one of the three is requested; 404 for an unknown notification
   */
  async markRead(userId: string, input: MarkReadDto): Promise<number> {
    if ([input.id, input.up_to, input.all].filter((part) => part !== undefined).length > 1) {
      throw Problem.invalid([{ param: 'body', message: 'must contain only one of id, up_to, all' }]);
    }
    await this.database.transaction(async (tx) => {
      const asked = input.id ?? input.up_to;
      if (asked === undefined) {
        const latest = await latestRelease(tx);
        if (latest !== undefined) await markReadUpTo(tx, userId, latest);
        return;
      }
      const { id } = await requireById('notification', asked, (known) => findRelease(tx, known));
      await (input.id === undefined ? markReadUpTo(tx, userId, id) : markRead(tx, userId, id));
    });
    return this.unread(userId);
  }
}
