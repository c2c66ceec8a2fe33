import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Slots } from '../../src/platform/work/slots.js';
import { faultsOfHtml } from '../support/pages/safe-html.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { XSS_VECTORS } from '../support/pages/xss-vectors.js';
import { createReply, createTopic, type ForumUser, forumUser, type TopicBody } from './forum.js';

describe('rendered forum posts', () => {
  let service: TestService;
  let reader: ForumUser;
  let author: ForumUser;
  beforeAll(async () => {
    service = await startTestService();
    reader = await forumUser(service);
    author = await forumUser(service);
  });
  afterAll(() => service.close());

  it('never contain a script, a handler, a style, an image or a dangerous link', async () => {
    // control characters cannot be posted at all
    const postable = XSS_VECTORS.filter((vector) => !/[\u0000-\u0008]/.test(vector));
    const topic = await createTopic(author, { title: '<script>alert(1)</script>', body: XSS_VECTORS[0] ?? '' });
    for (const vector of postable) await createReply(author, topic.id, vector);

    const { body } = await reader.client.get<TopicBody>(`/community/topics/${topic.id}?format=html&limit=100`);

    expect([XSS_VECTORS.length, body.replies.length]).toEqual([100, postable.length]);
    for (const [n, reply] of body.replies.entries()) {
      expect(reply.body).toBe(postable[n]);
      expect({ source: reply.body, faults: faultsOfHtml(reply.body_html ?? '<missing>') }).toEqual({
        source: reply.body,
        faults: [],
      });
    }
    expect(faultsOfHtml(body.body_html ?? '<missing>')).toEqual([]);
  });

  it('are returned as HTML beside the Markdown in lists, topics and the moderation queue, on request only', async () => {
    const topic = await createTopic(author, { title: 'Set in type', body: 'Read *this*: https://example.com/a?b=1&c' });
    const operator = await forumUser(service, { isOperator: true });
    await operator.client.patch(`/admin/community/topics/${topic.id}`, { pinned: true });
    await reader.client.post(`/community/topics/${topic.id}/report`, { reason: 'other' });
    const html =
      '<p>Read <em>this</em>: <a href="https://example.com/a?b=1&amp;c" rel="nofollow ugc noopener noreferrer">https://example.com/a?b=1&amp;c</a></p>\n';

    const [list] = (await reader.client.get<TopicBody[]>('/community/topics?format=html&limit=1')).body;
    const single = (await reader.client.get<TopicBody>(`/community/topics/${topic.id}?format=html`)).body;
    const [queued] = (await operator.client.get<TopicBody[]>('/admin/community/topics?format=html')).body;
    const plain = (await reader.client.get<TopicBody>(`/community/topics/${topic.id}`)).body;

    for (const found of [list, single, queued]) expect([found?.body, found?.body_html]).toEqual([topic.body, html]);
    expect(plain).not.toHaveProperty('body_html');
  });

  it('are rendered for two lists of a reader at a time, so that many malicious ones delay nobody else', async () => {
    const topic = await createTopic(author, { title: 'Crowded', body: 'a' });
    const path = `/community/topics/${topic.id}?format=html`;
    const begun = jest.spyOn(Slots.prototype, 'run');
    const [, , third] = await Promise.all([1, 2, 3].map(() => reader.client.get(path)));
    expect(third?.status).toBe(200); // it has waited
    const beneficiaries = begun.mock.calls.map(([of]) => of);
    expect(beneficiaries).toEqual(beneficiaries.map(() => ({ userId: reader.id })));
    expect(beneficiaries.length).toBeGreaterThanOrEqual(3);
    begun.mockRestore();
  });
});
