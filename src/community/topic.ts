import type { UserCaller } from '../access/index.js';
import type { CategorySlug } from './categories.js';

/** Who reads or writes. */
export interface Member {
  readonly id: string;
  /** With a second factor: a password alone lets nobody do here what operators may. */
  readonly isOperator: boolean;
}

export const memberOf = (user: UserCaller): Member => ({
  id: user.userId,
  isOperator: user.isOperator && user.secondFactor,
});

/** The name a text is signed with; null where the account is gone. */
export type Author = { readonly id: string; readonly name: string } | null;

/** What topics and replies have in common as seen by readers. */
export interface Post {
  readonly id: string;
  readonly author: Author;
  /** Markdown as written. */
  readonly body: string;
  /** Safe HTML of the body, where the reader asked for it. */
  readonly body_html?: string;
  readonly created_at: Date;
  readonly edited_at: Date | null;
}

export interface Reply extends Post {
  readonly topic_id: string;
  readonly hidden: boolean;
}

/** A topic as in lists. */
export interface TopicSummary extends Post {
  readonly category: CategorySlug;
  readonly title: string;
  readonly pinned: boolean;
  readonly locked: boolean;
  readonly hidden: boolean;
  readonly reply_count: number;
  readonly last_activity_at: Date;
}

export interface Topic extends TopicSummary {
  /** Oldest first; the first page of them. */
  readonly replies: readonly Reply[];
}

/** Longest body, in characters. */
export const BODY_MAX = 20_000;
export const TITLE_MAX = 200;
/** How long after writing an author may edit or delete. */
export const EDIT_WINDOW_MINUTES = 30;
