import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/test-service.js';
import { createReply, createTopic, forumUser } from './forum.js';

describe('community posting limits', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      environment: { COMMUNITY_TOPICS_PER_HOUR: '3', COMMUNITY_REPLIES_PER_HOUR: '2', COMMUNITY_REPORTS_PER_HOUR: '1' },
    });
  });
  afterAll(() => service.close());

  const input = { category: 'ideas', title: 'Again', body: 'And again' };

  it('accept exactly the limit from a user who sends many at once, counting deleted ones', async () => {
    const user = await forumUser(service);
    const topic = await createTopic(user);
    expect((await user.client.delete(`/community/topics/${topic.id}`)).status).toBe(204);

    const replies = await Promise.all(Array.from({ length: 8 }, () => user.client.post('/community/topics', input)));

    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([201, 201, 429, 429, 429, 429, 429, 429]);
    const refused = replies.find((reply) => reply.status === 429);
    expect(refused?.body['code']).toBe('posting_too_fast');
    const wait = Number(refused?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThanOrEqual(3_600);
  });

  it('limit replies and reports separately, and each user separately', async () => {
    const [writer, other] = [await forumUser(service), await forumUser(service)];
    const topic = await createTopic(writer);
    await createReply(writer, topic.id);
    const reply = await createReply(writer, topic.id);

    expect((await writer.client.post(`/community/topics/${topic.id}/replies`, { body: 'third' })).status).toBe(429);
    await createReply(other, topic.id);
    expect((await other.client.post(`/community/topics/${topic.id}/report`, { reason: 'spam' })).status).toBe(201);
    const refused = await other.client.post(`/community/topics/${topic.id}/replies/${reply.id}/report`, {
      reason: 'spam',
    });
    expect(refused.status).toBe(429);
    expect(refused.body['detail']).toMatch(/^You can post at most 1 report per hour\. Try again in 3,\d{3} seconds\.$/);
  });

  it('reset after an hour', async () => {
    const user = await forumUser(service);
    for (let n = 0; n < 3; n += 1) await createTopic(user);
    expect((await user.client.post('/community/topics', input)).status).toBe(429);
    await service.database.execute(`UPDATE community_posts SET created_at = created_at - interval '1 hour'`);

    expect((await user.client.post('/community/topics', input)).status).toBe(201);
  });

  it('of replies and reports reset after an hour', async () => {
    const [author, user] = [await forumUser(service), await forumUser(service)];
    const [topic, other] = [await createTopic(author), await createTopic(author)];
    for (let n = 0; n < 2; n += 1) await createReply(user, topic.id);
    const report = (id: string) => user.client.post(`/community/topics/${id}/report`, { reason: 'spam' });
    expect([(await report(topic.id)).status, (await report(other.id)).status]).toEqual([201, 429]);
    for (const table of ['community_posts', 'community_reports'])
      await service.database.execute(`UPDATE ${table} SET created_at = created_at - interval '1 hour'`);

    await createReply(user, topic.id);
    expect((await report(other.id)).status).toBe(201);
  });

  it('do not apply to operators', async () => {
    const operator = await forumUser(service, { isOperator: true });

    for (let n = 0; n < 5; n += 1) await createTopic(operator);
  });
});
