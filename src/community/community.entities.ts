import { defineEntity, p } from '@mikro-orm/core';
import { UserEntity, userReference } from '../access/users/users.entities.js';
import { instant, text } from '../platform/database/columns.js';

/** What a deleted account wrote stays, without a name. */
const author = () =>
  p.manyToOne(UserEntity).mapToPk().fieldName('author_id').deleteRule('set null').index(false).nullable();

/**
 * The head of a conversation. There is one forum for all customers of the service, so its tables have no organization. What people
 * write is in the posts: the opening one and the replies.
 */
export const TopicEntity = defineEntity({
  name: 'CommunityTopic',
  tableName: 'community_topics',
  properties: {
    id: p.uuid().primary(),
    category: text(),
    title: text(),
    author: author(),
    pinned: p.boolean().default(false),
    locked: p.boolean().default(false),
    hidden: p.boolean().default(false),
    /** Number of publicly visible replies; denormalized, like the time of the latest, because lists are sorted by them and show them. */
    replyCount: p.integer().default(0),
    lastActivityAt: instant(),
    createdAt: instant(),
    deletedAt: instant().nullable(),
    /** When something last needed the operators' attention (a report, a hidden text); null if nothing is left to do. */
    flaggedAt: instant().nullable(),
  },
  indexes: [
    // scanned backwards: pinned first, then the latest activity
    {
      name: 'community_topics_listing',
      properties: ['pinned', 'lastActivityAt', 'id'],
      where: 'NOT hidden AND deleted_at IS NULL',
    },
    {
      name: 'community_topics_category',
      properties: ['category', 'pinned', 'lastActivityAt', 'id'],
      where: 'NOT hidden AND deleted_at IS NULL',
    },
    { name: 'community_topics_moderation', properties: ['flaggedAt', 'id'], where: 'flagged_at IS NOT NULL' },
  ],
});

const topicReference = () =>
  p.manyToOne(TopicEntity).mapToPk().fieldName('topic_id').deleteRule('cascade').index(false);

/** A text in a topic. A deleted post keeps its row, without the text, so that it still counts against the author's limit. */
export const PostEntity = defineEntity({
  name: 'CommunityPost',
  tableName: 'community_posts',
  properties: {
    id: p.uuid().primary(),
    topic: topicReference(),
    /** Whether the topic started with it; every topic has exactly one opening post. */
    opening: p.boolean(),
    author: author(),
    /** Markdown source. */
    body: text(),
    /** Words of the body and, for an opening post, of the title. */
    search: p.string().columnType('tsvector'),
    hidden: p.boolean().default(false),
    createdAt: instant(),
    editedAt: instant().nullable(),
    deletedAt: instant().nullable(),
  },
  indexes: [
    { name: 'community_posts_thread', properties: ['topic', 'id'] },
    { name: 'community_posts_hidden', properties: ['topic', 'id'], where: 'hidden' },
    { name: 'community_posts_author', properties: ['author', 'createdAt'] },
    { name: 'community_posts_search', properties: ['search'], type: 'gin' },
  ],
  uniques: [{ name: 'community_posts_opening', properties: ['topic'], where: 'opening' }],
});

/** A reader's report to the operators. A reader has at most one open report on a post. */
export const ReportEntity = defineEntity({
  name: 'CommunityReport',
  tableName: 'community_reports',
  properties: {
    id: p.uuid().primary(),
    topic: topicReference(),
    post: p.manyToOne(PostEntity).mapToPk().fieldName('post_id').deleteRule('cascade').index(false),
    reporter: p.manyToOne(UserEntity).mapToPk().fieldName('reporter_id').deleteRule('cascade').index(false),
    reason: text(),
    comment: text().nullable(),
    createdAt: instant(),
    resolvedAt: instant().nullable(),
  },
  indexes: [
    { name: 'community_reports_open', properties: ['topic', 'id'], where: 'resolved_at IS NULL' },
    { name: 'community_reports_reporter', properties: ['reporter', 'createdAt'] },
  ],
  uniques: [{ name: 'community_reports_once', properties: ['post', 'reporter'], where: 'resolved_at IS NULL' }],
});

/** A user who may not post. */
export const BlockEntity = defineEntity({
  name: 'CommunityBlock',
  tableName: 'community_blocks',
  properties: {
    user: userReference().primary(),
    /**
     * The user's name when the block began, which the forum displays while it lasts; null if a process of a previous release
     * created it.
     */
    name: text().nullable(),
    /** Shown to the user. */
    reason: text(),
    createdAt: instant(),
  },
  indexes: [{ name: 'community_blocks_listing', properties: ['createdAt', 'user'] }],
});

export const COMMUNITY_ENTITIES = [TopicEntity, PostEntity, ReportEntity, BlockEntity];
