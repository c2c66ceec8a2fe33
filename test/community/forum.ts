import { AppClient } from '../support/app-client.js';
import { createSession, createUser } from '../support/builders.js';
import type { TestService } from '../support/test-service.js';

export interface ForumUser {
  readonly id: string;
  readonly client: AppClient;
}

export interface TopicBody {
  id: string;
  title: string;
  body: string;
  body_html?: string;
  pinned: boolean;
  locked: boolean;
  hidden: boolean;
  reply_count: number;
  created_at: string;
  last_activity_at: string;
  replies: {
    id: string;
    author: { name: string } | null;
    body: string;
    body_html?: string;
    hidden: boolean;
    created_at: string;
  }[];
}

/** A signed-in user of the forum. */
export async function forumUser(
  service: TestService,
  overrides: { name?: string; isOperator?: boolean; secondFactor?: boolean } = {},
): Promise<ForumUser> {
  const user = await createUser(service.database, overrides);
  return { id: user.id, client: new AppClient(service.url, await createSession(service.database, user.id)) };
}

export async function createTopic(
  author: ForumUser,
  overrides: Partial<Record<'category' | 'title' | 'body', string>> = {},
): Promise<TopicBody> {
  const input = { category: 'forecasting', title: 'A question', body: 'How does it work?', ...overrides };
  const { status, body } = await author.client.post<TopicBody>('/community/topics', input);
  if (status !== 201) throw new Error(`the topic was not created: ${JSON.stringify(body)}`);
  return body;
}

export async function createReply(
  author: ForumUser,
  topicId: string,
  body = 'Like this.',
): Promise<{ id: string; created_at: string }> {
  const reply = await author.client.post<{ id: string; created_at: string }>(`/community/topics/${topicId}/replies`, {
    body,
  });
  if (reply.status !== 201) throw new Error(`the reply was not written: ${JSON.stringify(reply.body)}`);
  return reply.body;
}
