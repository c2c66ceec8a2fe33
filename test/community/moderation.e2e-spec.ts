import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyAuditChain } from '../../src/access/index.js';
import { nextPage } from '../support/api.js';
import { UNKNOWN_ID } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { createReply, createTopic, type ForumUser, forumUser, type TopicBody } from './forum.js';

interface QueueItem extends TopicBody {
  hidden_reply_ids: string[];
  reports: { id: string; reason: string; reply_id: string | null; reply: unknown; reporter: { id: string } }[];
}

describe('community moderation', () => {
  let service: TestService;
  let ada: ForumUser;
  let ben: ForumUser;
  let operator: ForumUser;
  let second: ForumUser;
  beforeAll(async () => {
    service = await startTestService();
    [ada, ben] = [await forumUser(service), await forumUser(service)];
    [operator, second] = [
      await forumUser(service, { isOperator: true }),
      await forumUser(service, { isOperator: true }),
    ];
  });
  afterAll(() => service.close());
  beforeEach(() => service.database.execute('DELETE FROM community_topics'));

  const moderate = (topicId: string, change: object, by = operator) =>
    by.client.patch<QueueItem>(`/admin/community/topics/${topicId}`, change);
  const queue = async (query = ''): Promise<QueueItem[]> =>
    (await operator.client.get<QueueItem[]>(`/admin/community/topics${query}`)).body;

  it('accepts no reply and no edit in a locked topic until it is unlocked', async () => {
    const topic = await createTopic(ada);
    const reply = await createReply(ada, topic.id);
    expect((await moderate(topic.id, { locked: true })).body.locked).toBe(true);

    for (const user of [ben, operator]) {
      const refused = await user.client.post(`/community/topics/${topic.id}/replies`, { body: 'But …' });
      expect([refused.status, refused.body['code']]).toEqual([409, 'topic_locked']);
    }
    expect((await ada.client.patch(`/community/topics/${topic.id}`, { body: 'x' })).body['code']).toBe('topic_locked');
    expect((await ada.client.delete(`/community/topics/${topic.id}/replies/${reply.id}`)).body['code']).toBe(
      'topic_locked',
    );
    await moderate(topic.id, { locked: false });
    expect((await ben.client.post(`/community/topics/${topic.id}/replies`, { body: 'Thanks' })).status).toBe(201);
  });

  it('removes a topic from the queue when its only report is deleted with the reporter’s account', async () => {
    const leaver = await forumUser(service);
    const topic = await createTopic(ada);
    await leaver.client.post(`/community/topics/${topic.id}/report`, { reason: 'spam' });
    expect(await queue()).toHaveLength(1);
    await service.database.execute('DELETE FROM users WHERE id = $1', [leaver.id]);
    for (const query of ['', '?state=reported', '?state=hidden']) expect(await queue(query)).toEqual([]);
  });

  it('lists the newest hundred hidden replies and open reports of a topic', async () => {
    const topic = await createTopic(ada);
    await service.database.execute(
      `INSERT INTO community_posts (id, topic_id, opening, author_id, body, search, hidden, created_at)
       SELECT ('01976f6c-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, false, $2, 'Buy now!', '', true, now()
       FROM generate_series(1, 101) n`,
      [topic.id, ben.id],
    );
    await service.database.execute(
      `INSERT INTO community_reports (id, topic_id, post_id, reporter_id, reason, created_at)
       SELECT id, topic_id, id, $2, 'spam', created_at FROM community_posts WHERE topic_id = $1 AND hidden`,
      [topic.id, ada.id],
    );
    await moderate(topic.id, { hidden: true });
    const [item] = await queue();
    const newest = Array.from(
      { length: 100 },
      (_, n) => `01976f6c-0000-7000-8000-${String(101 - n).padStart(12, '0')}`,
    );
    expect(item!.hidden_reply_ids).toEqual(newest);
    expect(item!.reports.map(({ id }) => id)).toEqual(newest);
    const resolved = await moderate(topic.id, { hidden: false, resolve_reports: true });
    expect(resolved.body).toMatchObject({ reports: [] });
  });

  it('accepts ids in upper case', async () => {
    const topic = await createTopic(ada);
    const reply = await createReply(ben, topic.id);
    const [topicId, replyId] = [topic.id.toUpperCase(), reply.id.toUpperCase()];

    const report = await ben.client.post(`/community/topics/${topicId}/replies/${replyId}/report`, { reason: 'spam' });
    expect(report.body).toMatchObject({ topic_id: topic.id, reply_id: reply.id });
    expect(await moderate(topicId, { pinned: true })).toMatchObject({ status: 200, body: { id: topic.id } });
    expect(
      (await operator.client.patch(`/admin/community/topics/${topicId}/replies/${replyId}`, { hidden: true })).status,
    ).toBe(200);
    const events = await service.database.query(
      `SELECT target_id FROM audit_events WHERE action LIKE 'community_%' AND target_id ILIKE ANY ($1) ORDER BY sequence`,
      [[topic.id, reply.id]],
    );
    expect(events).toEqual([{ target_id: topic.id }, { target_id: reply.id }]);
  });

  it('treats an operator without a second factor as an ordinary member', async () => {
    const unsure = await forumUser(service, { isOperator: true, secondFactor: false });
    const topic = await createTopic(ada);
    await moderate(topic.id, { hidden: true });
    expect((await unsure.client.get(`/community/topics/${topic.id}`)).status).toBe(404);
    expect((await unsure.client.get('/admin/community/topics')).status).toBe(403);
  });

  it('hides a topic from everyone but operators', async () => {
    const topic = await createTopic(ada, { title: 'Unspeakable' });
    await moderate(topic.id, { hidden: true });

    for (const user of [ada, ben]) {
      expect((await user.client.get(`/community/topics/${topic.id}`)).status).toBe(404);
      expect((await user.client.get<TopicBody[]>('/community/topics')).body).toEqual([]);
      expect((await user.client.get<TopicBody[]>('/community/topics?q=unspeakable')).body).toEqual([]);
    }
    expect((await operator.client.get<TopicBody>(`/community/topics/${topic.id}`)).body.hidden).toBe(true);
    expect((await operator.client.get<TopicBody[]>('/community/topics')).body).toEqual([]);
    expect((await queue()).map((item) => item.id)).toEqual([topic.id]);
    await moderate(topic.id, { hidden: false });
    expect((await ben.client.get(`/community/topics/${topic.id}`)).status).toBe(200);
    expect(await queue()).toEqual([]);
  });

  it('hides a single reply from the text, the count and the search', async () => {
    const topic = await createTopic(ada);
    const reply = await createReply(ben, topic.id, 'Buy cheap watches');

    const path = `/admin/community/topics/${topic.id}/replies/${reply.id}`;
    expect((await operator.client.patch(path, { hidden: true })).body['hidden']).toBe(true);

    const seen = (await ada.client.get<TopicBody>(`/community/topics/${topic.id}`)).body;
    expect([seen.reply_count, seen.replies, seen.last_activity_at]).toEqual([0, [], topic.created_at]);
    expect((await ada.client.get('/community/topics?q=watches')).body).toEqual([]);
    expect((await ben.client.patch(`/community/topics/${topic.id}/replies/${reply.id}`, { body: 'x' })).status).toBe(
      404,
    );
    expect((await operator.client.get<TopicBody>(`/community/topics/${topic.id}`)).body.replies).toHaveLength(1);
    await operator.client.patch(path, { hidden: false });
    expect((await ada.client.get<TopicBody>(`/community/topics/${topic.id}`)).body.reply_count).toBe(1);
  });

  it('queues a topic with hidden replies until they are shown again', async () => {
    const [topic, other] = [await createTopic(ada), await createTopic(ada)];
    const [first, second] = [await createReply(ben, topic.id), await createReply(ben, topic.id)];
    const moderateReply = (id: string, change: object) =>
      operator.client.patch(`/admin/community/topics/${topic.id}/replies/${id}`, change);
    await ada.client.post(`/community/topics/${topic.id}/replies/${first.id}/report`, { reason: 'spam' });
    await moderate(other.id, { hidden: true });

    for (const { id } of [first, second]) await moderateReply(id, { hidden: true, resolve_reports: true });
    for (const query of ['', '?state=hidden']) {
      expect((await queue(query)).map((item) => [item.id, item.hidden, item.hidden_reply_ids])).toEqual([
        [topic.id, false, [second.id, first.id]],
        [other.id, true, []],
      ]);
    }
    expect(await queue('?state=reported')).toEqual([]);
    expect((await moderate(topic.id, { pinned: true })).body.hidden_reply_ids).toEqual([second.id, first.id]);

    await moderateReply(first.id, { hidden: false });
    expect((await queue())[0]?.hidden_reply_ids).toEqual([second.id]);
    await moderateReply(second.id, { hidden: false });
    expect((await queue()).map((item) => item.id)).toEqual([other.id]);
  });

  it('queues what readers report until an operator resolves it', async () => {
    const [quiet, loud] = [await createTopic(ada), await createTopic(ada)];
    const reply = await createReply(ben, loud.id, `Loud${'!'.repeat(600)}`);

    const filed = await ben.client.post(`/community/topics/${quiet.id}/report`, {
      reason: 'spam',
      comment: 'An advert.',
    });
    expect(filed.body).toMatchObject({ topic_id: quiet.id, reply_id: null, reason: 'spam', comment: 'An advert.' });
    await ada.client.post(`/community/topics/${loud.id}/replies/${reply.id}/report`, { reason: 'abuse' });
    expect((await ben.client.post(`/community/topics/${quiet.id}/report`, { reason: 'other' })).body['code']).toBe(
      'already_reported',
    );

    const items = await queue();
    expect(
      items.map((item) => [
        item.id,
        item.reports.map((report) => [report.reason, report.reply_id, report.reporter.id]),
      ]),
    ).toEqual([
      [loud.id, [['abuse', reply.id, ada.id]]],
      [quiet.id, [['spam', null, ben.id]]],
    ]);
    expect(items.map((item) => item.reports[0]?.reply)).toEqual([
      { author: expect.objectContaining({ id: ben.id }), excerpt: `Loud${'!'.repeat(496)}` },
      null,
    ]);
    expect((await moderate(quiet.id, { resolve_reports: true, reason: 'harmless' })).body.reports).toEqual([]);
    expect((await queue('?state=reported')).map((item) => item.id)).toEqual([loud.id]);
    expect(await queue('?state=hidden')).toEqual([]);
    expect((await ben.client.post(`/community/topics/${quiet.id}/report`, { reason: 'other' })).status).toBe(201);
  });

  it('resolves the open reports on one reply alone', async () => {
    const topic = await createTopic(ada);
    const [first, second] = [await createReply(ben, topic.id), await createReply(ben, topic.id)];
    for (const { id } of [first, second])
      await ada.client.post(`/community/topics/${topic.id}/replies/${id}/report`, { reason: 'spam' });
    const resolve = (id: string) =>
      operator.client.patch(`/admin/community/topics/${topic.id}/replies/${id}`, { resolve_reports: true });
    await resolve(first.id);
    expect((await queue())[0]?.reports.map((report) => report.reply_id)).toEqual([second.id]);
    const resolved = () => service.database.query('SELECT resolved_at FROM community_reports ORDER BY resolved_at');
    const before = await resolved();
    await resolve(first.id);
    expect(await resolved()).toEqual(before);
    await resolve(second.id);
    expect(await queue()).toEqual([]);
  });

  it('records the resolution of a single report in the audit log', async () => {
    const topic = await createTopic(ada);
    await ben.client.post(`/community/topics/${topic.id}/report`, { reason: 'spam' });
    await moderate(topic.id, { resolve_reports: true });
    const events = await service.database.query(
      `SELECT details FROM audit_events WHERE action = 'community_topic.moderated' AND target_id = $1`,
      [topic.id],
    );
    expect(events).toEqual([{ details: { reports_resolved: 1 } }]);
  });

  it('leaves a topic in its place in the queue when it, or its reply, is hidden once more', async () => {
    const [topic, thread, latest] = [await createTopic(ada), await createTopic(ada), await createTopic(ada)];
    const reply = `/admin/community/topics/${thread.id}/replies/${(await createReply(ben, thread.id)).id}`;
    const hide = async (): Promise<void> => {
      await moderate(topic.id, { hidden: true });
      await operator.client.patch(reply, { hidden: true });
    };
    await hide();
    await moderate(latest.id, { hidden: true });
    await hide();
    expect((await queue()).map(({ id }) => id)).toEqual([latest.id, thread.id, topic.id]);
  });

  it('takes a topic off the queue when the reported or hidden reply is deleted by its author', async () => {
    const topic = await createTopic(ada);
    const [reported, kept] = [await createReply(ben, topic.id), await createReply(ben, topic.id)];
    const [hidden, alsoHidden] = [await createReply(operator, topic.id), await createReply(operator, topic.id)];
    const of = (id: string): string => `/community/topics/${topic.id}/replies/${id}`;
    for (const { id } of [reported, kept]) await ada.client.post(`${of(id)}/report`, { reason: 'spam' });
    for (const { id } of [hidden, alsoHidden]) await operator.client.patch(`/admin${of(id)}`, { hidden: true });
    await ben.client.delete(of(reported.id));
    await operator.client.delete(of(hidden.id));
    const [item] = await queue();
    expect(item!.reports.map((report) => report.reply_id)).toEqual([kept.id]);
    expect(item!.hidden_reply_ids).toEqual([alsoHidden.id]);
    await operator.client.delete(of(alsoHidden.id));
    expect(await queue('?state=hidden')).toEqual([]);
    await ben.client.delete(of(kept.id));
    expect(await queue()).toEqual([]);
    const flagged = await service.database.query('SELECT FROM community_topics WHERE flagged_at IS NOT NULL');
    expect(flagged).toEqual([]);
  });

  it('lists the report of a reply whose author has deleted the account', async () => {
    const leaver = await forumUser(service);
    const topic = await createTopic(ada);
    const reply = await createReply(leaver, topic.id);
    await ben.client.post(`/community/topics/${topic.id}/replies/${reply.id}/report`, { reason: 'abuse' });
    await service.database.execute('DELETE FROM users WHERE id = $1', [leaver.id]);
    expect((await queue())[0]?.reports).toMatchObject([{ reply: { author: null, excerpt: 'Like this.' } }]);
  });

  it('refuses a reply that waits while the topic is locked', async () => {
    const topic = await createTopic(ada);
    await using held = await holdRows(
      service.database,
      'UPDATE community_topics SET locked = true WHERE id = $1 RETURNING id',
      [topic.id],
    );
    const reply = ben.client.post(`/community/topics/${topic.id}/replies`, { body: 'But …' });
    await held.untilAwaitedBy(1);
    await held.release();
    expect(await reply).toMatchObject({ status: 409, body: { code: 'topic_locked' } });
  });

  it('takes a settled topic off the queue while another one has a hidden reply', async () => {
    const [settled, other] = [await createTopic(ada), await createTopic(ada)];
    const reply = await createReply(ben, other.id);
    await ben.client.post(`/community/topics/${settled.id}/report`, { reason: 'spam' });
    await operator.client.patch(`/admin/community/topics/${other.id}/replies/${reply.id}`, { hidden: true });
    expect((await queue('?state=hidden')).map(({ id }) => id)).toEqual([other.id]);
    await moderate(settled.id, { resolve_reports: true });
    expect((await queue()).map(({ id }) => id)).toEqual([other.id]);
  });

  it('leaves a topic as it is, whatever is done in others', async () => {
    const cleo = await forumUser(service);
    const bystander = await createTopic(cleo);
    const reply = await createReply(cleo, bystander.id);
    await ben.client.post(`/community/topics/${bystander.id}/report`, { reason: 'spam' });
    await ben.client.post(`/community/topics/${bystander.id}/replies/${reply.id}/report`, { reason: 'spam' });
    const rows = () =>
      service.database.query(
        `SELECT to_jsonb(topic) AS topic,
            (SELECT jsonb_agg(post ORDER BY post.id) FROM community_posts post WHERE post.topic_id = topic.id) AS posts,
            (SELECT jsonb_agg(report ORDER BY report.id) FROM community_reports report
              WHERE report.topic_id = topic.id) AS reports
           FROM community_topics topic WHERE topic.id = $1`,
        [bystander.id],
      );
    const before = await rows();

    const { id } = await createTopic(ada);
    const [edited, hidden, deleted] = [
      await createReply(ben, id),
      await createReply(ben, id),
      await createReply(ben, id),
    ];
    const steps = [
      () => ada.client.patch(`/community/topics/${id}`, { title: 'Another', body: 'Text', category: 'integrations' }),
      () => ben.client.patch(`/community/topics/${id}/replies/${edited.id}`, { body: 'Edited' }),
      () => ben.client.delete(`/community/topics/${id}/replies/${deleted.id}`),
      () => ada.client.post(`/community/topics/${id}/replies/${edited.id}/report`, { reason: 'abuse' }),
      () => ben.client.post(`/community/topics/${id}/report`, { reason: 'spam' }),
      () => moderate(id, { resolve_reports: true, reason: 'harmless' }),
      () => moderate(id, { pinned: true, locked: true, hidden: true }),
      () => moderate(id, { pinned: false, locked: false, hidden: false }),
      () => operator.client.patch(`/admin/community/topics/${id}/replies/${hidden.id}`, { hidden: true }),
      () => operator.client.put(`/admin/community/blocks/${ada.id}`, { reason: 'advertising', hide_texts: true }),
      () => operator.client.delete(`/admin/community/blocks/${ada.id}`),
    ];
    for (const step of steps) expect([200, 201, 204]).toContain((await step()).status);
    const { id: brief } = await createTopic(ada);
    expect((await ada.client.delete(`/community/topics/${brief}`)).status).toBe(204);
    expect(await rows()).toEqual(before);
  });

  it('pages the queue', async () => {
    for (let n = 0; n < 5; n += 1) await moderate((await createTopic(ada, { title: `${n}` })).id, { hidden: true });

    const first = await operator.client.get<QueueItem[]>('/admin/community/topics?limit=3');
    const rest = await operator.client.get<QueueItem[]>(nextPage(first.headers) ?? '');

    expect([...first.body, ...rest.body].map((item) => item.title)).toEqual(['4', '3', '2', '1', '0']);
    expect(nextPage(rest.headers)).toBeUndefined();
  });

  it('loses nothing when two operators moderate the same topic at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const topic = await createTopic(ada);
      const replies = await Promise.all([
        moderate(topic.id, { pinned: true, reason: 'useful' }),
        moderate(topic.id, { locked: true, reason: 'answered' }, second),
        moderate(topic.id, { hidden: true }, second),
      ]);
      expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
      const after = (await operator.client.get<TopicBody>(`/community/topics/${topic.id}`)).body;
      expect([after.pinned, after.locked, after.hidden]).toEqual([true, true, true]);
    }
  });

  it('accepts no reply after the lock, however close in time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const topic = await createTopic(ada);
      const attempts = await Promise.all([
        moderate(topic.id, { locked: true }),
        ...Array.from({ length: 4 }, () =>
          ben.client.post(`/community/topics/${topic.id}/replies`, { body: 'Quick!' }),
        ),
      ]);
      const accepted = attempts.filter((reply) => reply.status === 201).length;
      const after = (await ada.client.get<TopicBody>(`/community/topics/${topic.id}`)).body;
      expect([after.reply_count, after.replies.length]).toEqual([accepted, accepted]);
    }
  });

  it('logs who did what, why, and the previous state', async () => {
    const topic = await createTopic(ada);
    const reply = await createReply(ben, topic.id);
    await moderate(topic.id, { pinned: true, locked: false, reason: 'useful' });
    await Promise.all([moderate(topic.id, { hidden: true }), moderate(topic.id, { locked: true }, second)]);
    await second.client.patch(`/admin/community/topics/${topic.id}/replies/${reply.id}`, {
      hidden: true,
      reason: 'rude',
    });
    // neither of these changes anything
    await moderate(topic.id, { pinned: true, resolve_reports: true, reason: 'useful' });
    await second.client.patch(`/admin/community/topics/${topic.id}/replies/${reply.id}`, { hidden: true });

    const events = await service.database.query<{ actor_id: string; action: string; details: Record<string, unknown> }>(
      `SELECT actor_id, action, details FROM audit_events WHERE target_id IN ($1, $2) ORDER BY sequence`,
      [topic.id, reply.id],
    );

    expect(events[0]).toEqual({
      actor_id: operator.id,
      action: 'community_topic.moderated',
      details: { pinned: { from: false, to: true }, reports_resolved: 0, reason: 'useful' },
    });
    expect(events.slice(1, 3)).toEqual(
      expect.arrayContaining([
        {
          actor_id: operator.id,
          action: 'community_topic.moderated',
          details: { hidden: { from: false, to: true }, reports_resolved: 0 },
        },
        {
          actor_id: second.id,
          action: 'community_topic.moderated',
          details: { locked: { from: false, to: true }, reports_resolved: 0 },
        },
      ]),
    );
    expect(events[3]).toEqual({
      actor_id: second.id,
      action: 'community_reply.moderated',
      details: { topic_id: topic.id, hidden: { from: false, to: true }, reports_resolved: 0, reason: 'rude' },
    });
    expect(events).toHaveLength(4);
    expect(await verifyAuditChain(service.database, null)).toMatchObject({ intact: true });
  });

  it.each([
    ['body', {}],
    ['body', { reason: 'only words' }],
    ['pinned', { pinned: 'yes' }],
    ['hidden', { hidden: null }],
    ['resolve_reports', { resolve_reports: false }],
    ['deleted', { deleted: true }],
  ])('refuses a moderation with an invalid %s: %j', async (param, change) => {
    const topic = await createTopic(ada);

    const { status, body } = await operator.client.patch(`/admin/community/topics/${topic.id}`, change);

    expect(status).toBe(400);
    expect(body['errors']).toEqual([expect.objectContaining({ param })]);
  });

  it('is for operators only, and answers unknown ids with 404', async () => {
    const topic = await createTopic(ada);

    expect((await ada.client.get('/admin/community/topics')).status).toBe(403);
    expect((await ada.client.patch(`/admin/community/topics/${topic.id}`, { hidden: true })).status).toBe(403);
    expect((await ada.client.patch('/admin/community/topics/nonsense', { hidden: true })).status).toBe(403);
    for (const id of ['nonsense', '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55']) {
      expect((await operator.client.patch(`/admin/community/topics/${id}`, { hidden: true })).status).toBe(404);
      expect(
        (await operator.client.patch(`/admin/community/topics/${topic.id}/replies/${id}`, { hidden: true })).status,
      ).toBe(404);
    }
  });

  describe('blocking a user from posting', () => {
    const block = (userId: string, body: object = { reason: 'advertising' }) =>
      operator.client.put(`/admin/community/blocks/${userId}`, body);
    const unblock = (userId: string) => operator.client.delete(`/admin/community/blocks/${userId}`);

    it('refuses every post and report of the user, with the reason, until the block ends', async () => {
      const [spammer, topic] = [await forumUser(service, { name: 'Max Advert' }), await createTopic(ada)];
      const own = await createTopic(spammer);
      const reply = await createReply(spammer, topic.id);
      const blocked = await block(spammer.id.toUpperCase());
      expect(blocked).toMatchObject({
        status: 200,
        body: { id: spammer.id, name: 'Max Advert', reason: 'advertising' },
      });

      const { client } = spammer;
      const writes = () =>
        Promise.all([
          client.post('/community/topics', { category: 'ideas', title: 'Buy', body: 'Buy now' }),
          client.post(`/community/topics/${topic.id}/replies`, { body: 'Buy now' }),
          client.post(`/community/topics/${topic.id}/report`, { reason: 'other' }),
          client.patch(`/community/topics/${own.id}`, { body: 'Buy now' }),
          client.patch(`/community/topics/${topic.id}/replies/${reply.id}`, { body: 'Buy now' }),
        ]);
      for (const { status, body } of await writes()) {
        expect([status, body['code']]).toEqual([403, 'posting_blocked']);
        expect(body['detail']).toMatch(/: advertising$/);
      }
      expect((await client.get(`/community/topics/${topic.id}`)).status).toBe(200);
      expect((await client.delete(`/community/topics/${topic.id}/replies/${reply.id}`)).status).toBe(204);

      expect((await unblock(spammer.id)).status).toBe(204);
      const after = (await writes()).map(({ status }) => status);
      expect(after).toEqual([201, 201, 201, 200, 404]);
    });

    it('keeps the name the user had at the time under past posts until the block ends', async () => {
      const [spammer, topic] = [await forumUser(service, { name: 'Max Advert' }), await createTopic(ada)];
      const reply = await createReply(spammer, topic.id);
      await block(spammer.id);
      expect((await spammer.client.patch('/auth/me', { name: 'Buy at example.com' })).status).toBe(200);
      await block(spammer.id, { reason: 'advertising again' });

      const names = async () => {
        const { body: thread } = await ben.client.get<TopicBody>(`/community/topics/${topic.id}`);
        const { body: blocks } = await operator.client.get<{ id: string; name: string }[]>('/admin/community/blocks');
        return [
          thread.replies.find(({ id }) => id === reply.id)?.author?.name,
          blocks.find(({ id }) => id === spammer.id)?.name,
        ];
      };
      expect(await names()).toEqual(['Max Advert', 'Max Advert']);
      await unblock(spammer.id);
      expect(await names()).toEqual(['Buy at example.com', undefined]);
    });

    it('can hide everything the user wrote, even a post in progress, and close the reports on it', async () => {
      const spammer = await forumUser(service);
      const advert = await createTopic(spammer);
      const threads = [await createTopic(ada), await createTopic(ben)];
      for (let n = 0; n < 2; n += 1) await createReply(ada, threads[1]!.id);
      for (const thread of threads) {
        await createReply(ada, thread.id);
        await createReply(spammer, thread.id);
      }
      await ben.client.post(`/community/topics/${advert.id}/report`, { reason: 'spam' });

      const [, answer, ...racing] = await Promise.all([
        block(spammer.id, { reason: 'advertising', hide_texts: true }),
        ben.client.post(`/community/topics/${threads[0]!.id}/replies`, { body: 'Not here' }),
        ...threads.map(({ id }) => spammer.client.post(`/community/topics/${id}/replies`, { body: 'Buy now' })),
      ]);

      expect(answer.status).toBe(201);
      expect(racing.every(({ status }) => status === 201 || status === 403)).toBe(true);
      expect((await ben.client.get(`/community/topics/${advert.id}`)).status).toBe(404);
      for (const [thread, replies] of [2, 3].entries()) {
        const read = (await ben.client.get<TopicBody>(`/community/topics/${threads[thread]!.id}`)).body;
        expect([read.replies.length, read.reply_count]).toEqual([replies, replies]);
        expect(read.last_activity_at).toBe(read.replies.at(-1)!.created_at);
      }
      const flagged = await queue();
      expect(new Set(flagged.map(({ id }) => id))).toEqual(new Set([advert.id, ...threads.map(({ id }) => id)]));
      expect(flagged.flatMap(({ reports }) => reports)).toEqual([]);
    });

    it('leaves already hidden posts in place in the queue', async () => {
      const spammer = await forumUser(service);
      const [advert, thread] = [await createTopic(spammer), await createTopic(ada)];
      await createReply(spammer, thread.id);
      await block(spammer.id, { reason: 'advertising', hide_texts: true });
      expect(new Set((await queue()).map(({ id }) => id))).toEqual(new Set([advert.id, thread.id]));
      const later = await createTopic(ada);
      await moderate(later.id, { hidden: true });
      await block(spammer.id, { reason: 'advertising', hide_texts: true });
      const queued = (await queue()).map(({ id }) => id);
      expect([queued[0], new Set(queued)]).toEqual([later.id, new Set([later.id, advert.id, thread.id])]);
    });

    it('counts each text that it hides once, and records them even if the reason stays', async () => {
      const spammer = await forumUser(service);
      const [advert, thread] = [await createTopic(spammer), await createTopic(ada)];
      const [, deleted] = [await createReply(spammer, thread.id), await createReply(spammer, thread.id)];
      await spammer.client.delete(`/community/topics/${thread.id}/replies/${deleted.id}`);
      await block(spammer.id, { reason: 'advertising' });
      await block(spammer.id, { reason: 'advertising', hide_texts: true });
      const events = await service.database.query(
        `SELECT details FROM audit_events WHERE target_id = $1 ORDER BY sequence`,
        [spammer.id],
      );
      expect(events).toEqual([
        { details: { reason: 'advertising', texts_hidden: 0 } },
        { details: { reason: 'advertising', texts_hidden: 2 } },
      ]);
      expect((await queue()).find(({ id }) => id === advert.id)).toMatchObject({ hidden_reply_ids: [] });
    });

    it('keeps its start, can change its reason, and is listed newest first', async () => {
      const [first, last] = [await forumUser(service), await forumUser(service)];
      const since = (await block(first.id)).body['created_at'];
      await block(last.id, { reason: 'abuse' });
      expect((await block(first.id, { reason: 'abuse again' })).body).toMatchObject({ created_at: since });
      await block(first.id, { reason: 'abuse again' }); // changes nothing, and leaves no event

      const page = await operator.client.get<{ id: string; reason: string }[]>('/admin/community/blocks?limit=1');
      expect(page.body).toMatchObject([{ id: last.id, reason: 'abuse' }]);
      const next = await operator.client.get<{ id: string; reason: string }[]>(nextPage(page.headers)!);
      expect(next.body).toMatchObject([{ id: first.id, reason: 'abuse again' }]);

      const events = await service.database.query(
        `SELECT action, details FROM audit_events WHERE target_id = $1 ORDER BY sequence`,
        [first.id],
      );
      expect(events).toEqual([
        { action: 'community_author.blocked', details: { reason: 'advertising', texts_hidden: 0 } },
        { action: 'community_author.blocked', details: { reason: 'abuse again', texts_hidden: 0 } },
      ]);
    });

    it('is for operators only, cannot block operators, and answers unknown users with 404', async () => {
      expect((await ada.client.put(`/admin/community/blocks/${ben.id}`, { reason: 'rude' })).status).toBe(403);
      expect((await ada.client.get('/admin/community/blocks')).status).toBe(403);
      expect(await block(second.id)).toMatchObject({ status: 409, body: { code: 'operator_not_blocked' } });
      expect(await block(ben.id, {})).toMatchObject({ status: 400, body: { errors: [{ param: 'reason' }] } });
      for (const id of ['nonsense', UNKNOWN_ID]) expect((await block(id)).status).toBe(404);
      for (const id of ['nonsense', UNKNOWN_ID, ben.id]) expect((await unblock(id)).status).toBe(404);
    });
  });
});
