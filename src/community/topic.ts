import type { UserCaller } from '../access/index.js';
import type { CategorySlug } from './categories.js';

/** Who reads or writes. */
export interface Member {
  readonly id: string;
  /** Requires a second factor: a password alone must not give anyone the powers of an operator here. */
  readonly isOperator: boolean;
}

export const memberOf = (user: UserCaller): Member => ({
  id: user.userId,
  isOperator: user.isOperator && user.secondFactor,
});

/** The author shown with a text; null if the account is gone. */
export type Author = { readonly id: string; readonly name: string } | null;

/** What topics and replies have in common for readers. */
export interface Post {
  readonly id: string;
  readonly author: Author;
  /** Markdown source. */
  readonly body: string;
  /** Safe HTML of the body, if the reader requested it. */
  readonly body_html?: string;
  readonly created_at: Date;
  readonly edited_at: Date | null;
}

export interface Reply extends Post {
  readonly topic_id: string;
  readonly hidden: boolean;
}

/** A topic as shown in lists. */
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
  /** The first page of the replies, oldest first. */
  readonly replies: readonly Reply[];
}

/** Maximum length of a body, in characters. */
export const BODY_MAX = 20_000;
export const TITLE_MAX = 200;
/** How long authors may edit or delete a text after writing it. */
export const EDIT_WINDOW_MINUTES = 30;
