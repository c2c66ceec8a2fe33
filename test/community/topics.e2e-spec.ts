import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '../../src/platform/http/pagination.js';
import { nextPage, pagesOf } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { holdRows } from '../support/held-rows.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { createReply, createTopic, type ForumUser, forumUser, type TopicBody } from './forum.js';

interface CategoryBody {
  slug: string;
  topic_count: number;
  last_activity_at: string | null;
}

describe('community topics', () => {
  let service: TestService;
  let ada: ForumUser;
  let ben: ForumUser;
  let operator: ForumUser;
  beforeAll(async () => {
    service = await startTestService();
    ada = await forumUser(service, { name: 'Ada' });
    ben = await forumUser(service, { name: 'Ben' });
    operator = await forumUser(service, { name: 'Opal', isOperator: true });
  });
  afterAll(() => service.close());
  beforeEach(() => service.database.execute('DELETE FROM community_topics'));

  const titles = async (user: ForumUser, query = ''): Promise<string[]> =>
    (await user.client.get<TopicBody[]>(`/community/topics${query}`)).body.map((topic) => topic.title);

  it('list the five categories with their topics', async () => {
    const topic = await createTopic(ada, { category: 'billing' });
    const reply = await createReply(ben, topic.id);
    const [hidden, deleted] = [await createTopic(ada, { category: 'ideas' }), await createTopic(ada)];
    await operator.client.patch(`/admin/community/topics/${hidden.id}`, { hidden: true });
    await ada.client.delete(`/community/topics/${deleted.id}`);

    const { status, body } = await ben.client.get<CategoryBody[]>('/community/categories');

    expect(status).toBe(200);
    const [, forecasting, , billing] = body;
    expect([forecasting!.last_activity_at, billing!.last_activity_at]).toEqual([null, reply.created_at]);
    expect(body.map((category) => [category.slug, category.topic_count])).toEqual([
      ['getting-started', 0],
      ['forecasting', 0],
      ['integrations', 0],
      ['billing', 1],
      ['ideas', 0],
    ]);
  });

  it('are created with every field of the contract, their Markdown unchanged', async () => {
    const input = { category: 'ideas', title: ' Dark mode ', body: '  **please** <b>now</b>\n' };

    const created = await ada.client.post('/community/topics', input);

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/community/topics/${String(created.body['id'])}`);
    const read = await ben.client.get(`/community/topics/${String(created.body['id'])}`);
    expect(read.body).toEqual(created.body);
    expect(read.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      category: 'ideas',
      title: 'Dark mode',
      body: input.body,
      author: { id: ada.id, name: 'Ada' },
      pinned: false,
      locked: false,
      hidden: false,
      reply_count: 0,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      edited_at: null,
      last_activity_at: read.body['created_at'],
      replies: [],
    });
  });

  it.each([
    ['category', { category: 'gossip' }],
    ['category', { category: undefined }],
    ['title', { title: '' }],
    ['title', { title: 'x'.repeat(201) }],
    ['title', { title: 'two\nlines' }],
    ['title', { title: 7 }],
    ['title', { title: '\u200b\u3164 \u00ad\u2800' }],
    ['body', { body: '' }],
    ['body', { body: ' \n ' }],
    ['body', { body: 'x'.repeat(20_001) }],
    ['body', { body: 'nul \u0000 byte' }],
    ['body', { body: 'half a surrogate pair \ud83d' }],
    ['body', { body: null }],
    ['pinned', { pinned: true }],
  ])('are refused with an invalid %s: %j', async (param, fault) => {
    const { status, body } = await ada.client.post('/community/topics', {
      category: 'ideas',
      title: 'A title',
      body: 'A body',
      ...fault,
    });

    expect(status).toBe(400);
    expect(body['errors']).toEqual([expect.objectContaining({ param })]);
  });

  it('may have 20,000 characters, counted as characters rather than bytes or code units', async () => {
    const topic = await createTopic(ada, { body: '𝄞'.repeat(20_000) });

    expect((await ben.client.get<TopicBody>(`/community/topics/${topic.id}`)).body.body).toBe('𝄞'.repeat(20_000));
  });

  it('are listed pinned first, then by latest activity, optionally by category', async () => {
    const first = await createTopic(ada, { title: 'first' });
    const second = await createTopic(ada, { title: 'second' });
    await createTopic(ada, { title: 'third', category: 'billing' });
    await createReply(ben, first.id);
    await operator.client.patch(`/admin/community/topics/${second.id}`, { pinned: true });

    expect(await titles(ben)).toEqual(['second', 'first', 'third']);
    expect(await titles(ben, '?category=billing')).toEqual(['third']);
    expect((await ben.client.get('/community/topics?category=gossip')).status).toBe(400);
  });

  it('are paged by cursor without loss or repetition while others are written', async () => {
    for (let n = 0; n < 7; n += 1) await createTopic(ada, { title: `topic ${n}` });
    const seen: string[] = [];

    for await (const page of pagesOf<TopicBody[]>(ben.client, '/community/topics?limit=3')) {
      seen.push(...page.map((topic) => topic.title));
      await createTopic(ada, { title: 'written meanwhile' });
    }

    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `topic ${n}`));
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=1e1.5',
    '?cursor=abc',
    '?sort=title',
    '?format=pdf',
    '?category=ideas&category=ideas',
    '?q=',
  ])('are not listed for the invalid query %s', async (query) => {
    expect((await ben.client.get(`/community/topics${query}`)).status).toBe(400);
  });

  it('reject a forged cursor that does not hold a position', async () => {
    for (const forged of [
      ['true', 'yesterday', 'x'],
      ['true', '2026-01-01T00:00:00Z', "'; --"],
      ['true', '2026-01-01T00:00:00,5Z', ada.id],
      ['maybe', '2026-01-01', ada.id],
    ]) {
      const cursor = encodeCursor(['topics', ...forged]);
      expect((await ben.client.get(`/community/topics?cursor=${cursor}`)).status).toBe(400);
    }
  });

  it('are found by words in titles, texts and replies, in any inflection', async () => {
    const topic = await createTopic(ada, { title: 'Lead times', body: 'Ours vary.' });
    await createTopic(ada, { title: 'Something else', body: 'Nothing here.' });
    await createReply(ben, topic.id, 'Measure how suppliers **deliver**.');

    expect(await titles(ben, '?q=lead')).toEqual(['Lead times']);
    expect(await titles(ben, '?q=varying')).toEqual(['Lead times']);
    expect(await titles(ben, '?q=delivered')).toEqual(['Lead times']);
    expect(await titles(ben, `?q=${encodeURIComponent('"suppliers deliver"')}`)).toEqual(['Lead times']);
    expect(await titles(ben, '?q=nothing&category=billing')).toEqual([]);
    expect(await titles(ben, `?q=${encodeURIComponent(`' OR 1=1 -- :* & | ! <-> (`)}`)).toEqual([]);
  });

  it('are found by accented words in either Unicode normalization form', async () => {
    const topic = await createTopic(ada, { title: 'One', body: 'caf\u00e9' });
    const reply = await createReply(ben, topic.id, 'none');
    await createTopic(ada, { title: 'Two', body: 'cafe\u0301' });
    for (const word of ['caf\u00e9', 'cafe\u0301']) {
      expect(await titles(ben, `?q=${encodeURIComponent(word)}`)).toEqual(['Two', 'One']);
    }
    await ben.client.patch(`/community/topics/${topic.id}/replies/${reply.id}`, { body: 'the\u0301' });
    expect(await titles(ben, `?q=${encodeURIComponent('th\u00e9')}`)).toEqual(['One']);
  });

  it('are found in list order, page by page, by words that thousands of posts contain', async () => {
    const [quiet, busy, other] = [
      await createTopic(ada, { title: 'Quiet talk of seasons' }),
      await createTopic(ada, { title: 'Busy' }),
      await createTopic(ada, { title: 'Nothing of the kind' }),
    ];
    await service.database.execute(
      `INSERT INTO community_posts (id, topic_id, opening, body, search, created_at)
       SELECT gen_random_uuid(), $1, false, 'seasons', to_tsvector('english', 'seasons'), now() FROM generate_series(1, 2100)`,
      [busy.id],
    );
    await createReply(ben, other.id);

    const first = await ben.client.get<TopicBody[]>('/community/topics?q=season&limit=1');
    const second = await ben.client.get<TopicBody[]>(nextPage(first.headers) ?? '');

    expect([...first.body, ...second.body].map((topic) => topic.id)).toEqual([busy.id, quiet.id]);
    expect(nextPage(second.headers)).toBeUndefined();
    expect(await titles(ben, '?q=season&category=billing')).toEqual([]);
  });

  it('can be edited and deleted by their author alone, for 30 minutes', async () => {
    const topic = await createTopic(ada);

    const edited = await ada.client.patch(`/community/topics/${topic.id}`, { title: 'Better', body: 'Clearer words' });
    expect([edited.status, edited.body['title'], edited.body['body'], edited.body['category']]).toEqual([
      200,
      'Better',
      'Clearer words',
      'forecasting',
    ]);
    expect(edited.body['edited_at']).not.toBeNull();
    expect(await titles(ben, '?q=clearer')).toEqual(['Better']);
    expect(await titles(ben, '?q=question')).toEqual([]);
    expect((await ada.client.patch(`/community/topics/${topic.id}`, {})).status).toBe(400);
    expect((await ben.client.patch(`/community/topics/${topic.id}`, { title: 'Mine' })).body['code']).toBe(
      'not_the_author',
    );
    expect((await operator.client.delete(`/community/topics/${topic.id}`)).body['code']).toBe('not_the_author');

    expect((await ada.client.delete(`/community/topics/${topic.id}`)).status).toBe(204);
    expect((await ada.client.get(`/community/topics/${topic.id}`)).status).toBe(404);
    const [left] = await service.database.query<{ texts: string }>(
      `SELECT string_agg(body || search::text, '') AS texts FROM community_posts`,
    );
    expect(left?.texts).toBe('');
  });

  it('are not marked as edited when moved to another category', async () => {
    const topic = await createTopic(ada);
    const moved = await ada.client.patch(`/community/topics/${topic.id}`, { category: 'ideas' });
    expect(moved.body).toMatchObject({ category: 'ideas', edited_at: null });
  });

  it('cannot be edited or deleted after 30 minutes', async () => {
    const topic = await createTopic(ada);
    const reply = await createReply(ada, topic.id);
    await service.database.execute(`UPDATE community_topics SET created_at = created_at - interval '31 minutes'`);
    await service.database.execute(`UPDATE community_posts SET created_at = created_at - interval '31 minutes'`);

    for (const path of [`/community/topics/${topic.id}`, `/community/topics/${topic.id}/replies/${reply.id}`]) {
      const edited = await ada.client.patch(path, { body: 'Late' });
      const deleted = await ada.client.delete(path);
      expect([edited.status, edited.body['code'], deleted.status, deleted.body['code']]).toEqual([
        409,
        'edit_window_closed',
        409,
        'edit_window_closed',
      ]);
    }
  });

  it('cannot be deleted by their author once others have replied', async () => {
    const gone = await forumUser(service);
    const topic = await createTopic(ada);
    await createReply(gone, topic.id);
    const remove = async (): Promise<unknown> =>
      (await ada.client.delete(`/community/topics/${topic.id}`)).body['code'];
    expect(await remove()).toBe('topic_has_replies');
    await service.database.execute('DELETE FROM users WHERE id = $1', [gone.id]);
    expect(await remove()).toBe('topic_has_replies');
  });

  it('can be deleted by their author while all replies are their own or deleted', async () => {
    const topic = await createTopic(ada);
    await createReply(ada, topic.id);
    const reply = await createReply(ben, topic.id);
    await ben.client.delete(`/community/topics/${topic.id}/replies/${reply.id}`);
    expect((await ada.client.delete(`/community/topics/${topic.id}`)).status).toBe(204);
  });

  it('count, edit and delete replies, and show them oldest first, in pages', async () => {
    const topic = await createTopic(ada);
    const replies = [];
    for (const text of ['one', 'two', 'three']) replies.push(await createReply(ben, topic.id, text));
    const [one, two] = replies;

    const first = await ada.client.get<TopicBody>(`/community/topics/${topic.id}?limit=2`);
    expect([first.body.reply_count, first.body.replies.map((reply) => reply.body)]).toEqual([3, ['one', 'two']]);
    const second = await ada.client.get<TopicBody>(nextPage(first.headers) ?? '');
    expect([second.body.replies.map((reply) => reply.body), nextPage(second.headers)]).toEqual([['three'], undefined]);

    expect(
      (await ben.client.patch(`/community/topics/${topic.id}/replies/${two?.id}`, { body: 'TWO' })).body['body'],
    ).toBe('TWO');
    expect((await ada.client.patch(`/community/topics/${topic.id}/replies/${two?.id}`, { body: 'x' })).status).toBe(
      403,
    );
    expect((await ben.client.delete(`/community/topics/${topic.id}/replies/${one?.id}`)).status).toBe(204);
    const after = (await ada.client.get<TopicBody>(`/community/topics/${topic.id}`)).body;
    expect([after.reply_count, after.replies.map((reply) => reply.body)]).toEqual([2, ['TWO', 'three']]);
    expect(await titles(ada, '?q=one')).toEqual([]);
    const left = await service.database.query('SELECT body, search FROM community_posts WHERE id = $1', [one?.id]);
    expect(left).toEqual([{ body: '', search: '' }]);
  });

  it('show a reply that had to wait for others stored meanwhile', async () => {
    const topic = await createTopic(ben);
    const turn = `SELECT pg_advisory_xact_lock(hashtextextended('community ' || $1, 0))`;
    await using adasTurn = await holdRows(service.database, turn, [ada.id]);
    const late = createReply(ada, topic.id, 'late');
    await adasTurn.untilAwaitedBy(1);
    await createReply(ben, topic.id, 'first');
    await adasTurn.release();
    await late;
    const { replies } = (await ben.client.get<TopicBody>(`/community/topics/${topic.id}`)).body;
    expect(replies.map((reply) => reply.body)).toEqual(['first', 'late']);
  });

  it('answer malformed, unknown and hidden ids alike', async () => {
    const topic = await createTopic(ada);
    await operator.client.patch(`/admin/community/topics/${topic.id}`, { hidden: true });
    const ids = ['nonsense', '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55', topic.id, '%00'];

    for (const [method, suffix, body] of [
      ['get', '', undefined],
      ['patch', '', { title: 'x' }],
      ['delete', '', undefined],
      ['post', '/replies', { body: 'x' }],
      ['post', '/report', { reason: 'spam' }],
      ['patch', '/replies/nonsense', { body: 'x' }],
      ['delete', '/replies/nonsense', undefined],
      ['post', '/replies/nonsense/report', { reason: 'spam' }],
    ] as const) {
      const answers = await Promise.all(
        ids.map(async (id) => {
          const reply = await ada.client[method](`/community/topics/${id}${suffix}`, body);
          return JSON.stringify({ ...reply.body, request_id: undefined });
        }),
      );
      expect(new Set(answers).size).toBe(1);
      expect(JSON.parse(answers[0] ?? '{}')).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('show no author for posts of a deleted account', async () => {
    const gone = await forumUser(service);
    const topic = await createTopic(gone);
    await service.database.execute('DELETE FROM users WHERE id = $1', [gone.id]);

    expect((await ada.client.get(`/community/topics/${topic.id}`)).body['author']).toBeNull();
  });

  it('require a session on every route', async () => {
    const nobody = new AppClient(service.url);

    for (const path of [
      '/community/categories',
      '/community/topics',
      '/community/topics/x',
      '/admin/community/topics',
    ]) {
      expect((await nobody.get(path)).status).toBe(401);
    }
    expect((await nobody.post('/community/topics', {})).status).toBe(401);
  });
});
