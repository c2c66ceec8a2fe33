import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Queryable } from '../../platform/database/database.js';
import { idPage, listPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { type CreateTopicDto, type EditTopicDto, type ListTopicsDto, ReadTopicDto } from '../dto/inputs.dto.js';
import type { CategoryBody, ReplyBody, TopicBody, TopicSummaryBody } from '../dto/replies.dto.js';
import type { Member } from '../member.js';
import { resolveReports } from '../moderation/reports.queries.js';
import { requireOwnAndRecent, requireTopic, requireUnlocked, requireVisible } from './authorship.js';
import { CATEGORIES } from './categories.js';
import { withHtml } from './post-html.js';
import { enforcePostingLimit, requireUnblocked } from './posting-limits.js';
import { hasRepliesByOthers, insertPost, listReplies, markPostsDeleted, updateOpeningPost } from './posts.queries.js';
import { findMatches } from './search.queries.js';
import {
  categoryTotals,
  findTopic,
  insertTopic,
  listTopics,
  markTopicDeleted,
  TOPIC_ORDER,
  updateTopicHead,
} from './topics.queries.js';

/** A topic with one page of its replies, and the position after them. */
interface TopicPage extends Pick<Page<ReplyBody>, 'next'> {
  readonly topic: TopicBody;
}

@Injectable()
export class TopicsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async categories(): Promise<CategoryBody[]> {
    const totals = new Map((await categoryTotals(this.database)).map((row) => [row.category, row]));
    return CATEGORIES.map((category) => ({
      ...category,
      topic_count: totals.get(category.slug)?.topics ?? 0,
      last_activity_at: totals.get(category.slug)?.last_activity_at ?? null,
    }));
  }

  async list(reader: Member, query: ListTopicsDto): Promise<Page<TopicSummaryBody>> {
    const page = await listPage(query, TOPIC_ORDER, async (slice) =>
      listTopics(this.database, {
        ...slice,
        category: query.category,
        match: query.q === undefined ? undefined : await findMatches(this.database, query.q),
      }),
    );
    return query.format === 'html' ? { ...page, items: await withHtml(page.items, reader) } : page;
  }

  /** @throws {Problem} 404 for a topic that does not exist or is hidden from this reader */
  async read(reader: Member, topicId: string, query: ReadTopicDto): Promise<TopicPage> {
    const page = await readTopic(this.database, reader, topicId, query);
    if (query.format !== 'html') return page;
    const replies = await withHtml(page.topic.replies, reader);
    const [topic = page.topic] = await withHtml([page.topic], reader);
    return { ...page, topic: { ...topic, replies } };
  }

  /** @throws {Problem} 403 `posting_blocked`; 429 `posting_too_fast` */
  create(author: Member, input: CreateTopicDto): Promise<TopicBody> {
    const id = newId();
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      await enforcePostingLimit(tx, author, { written: 'topic', limit: this.settings.COMMUNITY_TOPICS_PER_HOUR }, now);
      const title = input.title.trim();
      await insertTopic(tx, { id, category: input.category, title, authorId: author.id, createdAt: now });
      await insertPost(tx, { id: newId(), topicId: id, authorId: author.id, body: input.body, title, createdAt: now });
      return (await readTopic(tx, author, id)).topic;
    });
  }

  /** @throws {Problem} 404; 403 `not_the_author`, `posting_blocked`; 409 `edit_window_closed`, `topic_locked` */
  edit(author: Member, topicId: string, input: EditTopicDto): Promise<TopicBody> {
    const { category, body } = input;
    const title = input.title?.trim();
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const state = await requireTopic(tx, topicId, author);
      requireOwnAndRecent(state, author, now);
      requireUnlocked(state);
      await requireUnblocked(tx, author);
      await updateTopicHead(tx, topicId, { category, title });
      // moving a topic to another category does not count as an edit
      if (title !== undefined || body !== undefined) {
        const current = await findTopic(tx, topicId);
        if (!current) throw Problem.notFound('topic');
        await updateOpeningPost(tx, topicId, { title: current.title, body: body ?? current.body }, now);
      }
      return (await readTopic(tx, author, topicId)).topic;
    });
  }

  /** @throws {Problem} 404; 403 `not_the_author`; 409 `edit_window_closed`, `topic_locked`, `topic_has_replies` */
  async remove(author: Member, topicId: string): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const state = await requireTopic(tx, topicId, author);
      requireOwnAndRecent(state, author, now);
      requireUnlocked(state);
      if (await hasRepliesByOthers(tx, topicId, author.id)) {
        throw new Problem(409, 'topic_has_replies', 'Others have replied to this topic, so it cannot be deleted.');
      }
      await resolveReports(tx, topicId, now);
      await markPostsDeleted(tx, topicId, now);
      await markTopicDeleted(tx, topicId, now);
    });
  }
}

async function readTopic(
  db: Queryable,
  reader: Member,
  topicId: string,
  query = new ReadTopicDto(),
): Promise<TopicPage> {
  const topic = await requireVisible('topic', topicId, reader, (id) => findTopic(db, id));
  const { items, next } = await idPage('replies', query, (slice) =>
    listReplies(db, topicId, { includeHidden: reader.isOperator, ...slice }),
  );
  return { topic: { ...topic, replies: items }, next };
}
