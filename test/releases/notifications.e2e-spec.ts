import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { nextPage } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createSession, createUser } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface NotificationBody {
  id: string;
  version: string;
  read: boolean;
}

describe('release notifications', () => {
  let service: TestService;
  let operator: AppClient;
  beforeAll(async () => {
    service = await startTestService();
    operator = await session({ isOperator: true });
  });
  afterAll(() => service.close());
  beforeEach(() => service.database.execute('DELETE FROM releases'));

  async function session(overrides: { isOperator?: boolean } = {}): Promise<AppClient> {
    const { id } = await createUser(service.database, overrides);
    return new AppClient(service.url, await createSession(service.database, id));
  }

  const announce = async (version: string): Promise<string> => {
    const input = { version, released_on: '2026-11-20', title: `Title of ${version}`, notes: 'Notes' };
    return (await operator.post<{ id: string }>('/admin/releases', input)).body.id;
  };
  const list = async (user: AppClient, query = ''): Promise<[string, boolean][]> =>
    (await user.get<NotificationBody[]>(`/notifications${query}`)).body.map(({ version, read }) => [version, read]);
  const unread = async (user: AppClient): Promise<unknown> =>
    (await user.get('/notifications/unread-count')).body['unread_count'];

  it('list every release since the account was created', async () => {
    await announce('1.0.0');
    const user = await session();
    const id = await announce('1.1.0');

    const { body, headers } = await user.get<NotificationBody[]>('/notifications');

    expect(headers.get('x-unread-count')).toBe('1');
    expect(body[0]).toEqual({
      id,
      kind: 'release',
      version: '1.1.0',
      title: 'Title of 1.1.0',
      url: '/changelog#v1.1.0',
      created_at: expect.stringMatching(/Z$/),
      read: false,
    });
    expect(await list(user)).toEqual([
      ['1.1.0', false],
      ['1.0.0', true],
    ]);
    expect(await list(user, '?unread=true')).toEqual([['1.1.0', false]]);
  });

  it('are marked one by one, up to one, and all, for this user only', async () => {
    const [user, other] = [await session(), await session()];
    const ids = [];
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0']) ids.push(await announce(version));
    const [, second, third, , fifth] = ids;

    expect((await user.post('/notifications/read', { id: fifth })).body).toEqual({ unread_count: 4 });
    expect((await user.post('/notifications/read', { id: fifth })).body).toEqual({ unread_count: 4 });
    expect((await user.post('/notifications/read', { up_to: third })).body).toEqual({ unread_count: 1 });
    expect((await user.post('/notifications/read', { up_to: second })).body).toEqual({ unread_count: 1 });
    expect(await list(user)).toEqual([
      ['1.4.0', true],
      ['1.3.0', false],
      ['1.2.0', true],
      ['1.1.0', true],
      ['1.0.0', true],
    ]);
    await announce('1.5.0');
    expect((await user.post('/notifications/read', { all: true })).body).toEqual({ unread_count: 0 });
    await announce('1.6.0');
    expect([await unread(user), await unread(other)]).toEqual([1, 7]);
    expect((await other.post('/notifications/read', {})).body).toEqual({ unread_count: 0 });
  });

  it('are paged', async () => {
    const user = await session();
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await announce(version);

    const first = await user.get<NotificationBody[]>('/notifications?limit=2&unread=true');
    const rest = await user.get<NotificationBody[]>(nextPage(first.headers) ?? '');

    expect([...first.body, ...rest.body].map((notification) => notification.version)).toEqual([
      '1.2.0',
      '1.1.0',
      '1.0.0',
    ]);
  });

  it('refuse ambiguous requests and unknown ids', async () => {
    const user = await session();
    const id = await announce('1.0.0');

    for (const order of [
      { id, all: true },
      { id, up_to: id },
      { all: false },
      { id: 7 },
      { id: null },
      { ids: [id] },
    ]) {
      expect((await user.post('/notifications/read', order)).status).toBe(400);
    }
    for (const unknown of ['nonsense', '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55', '1.0.0', '\u0000']) {
      expect((await user.post('/notifications/read', { id: unknown })).body['code']).toBe('not_found');
      expect((await user.post('/notifications/read', { up_to: unknown })).body['code']).toBe('not_found');
    }
    expect((await user.get('/notifications?unread=perhaps')).status).toBe(400);
    expect(await unread(user)).toBe(1);
  });

  it('require a session', async () => {
    const nobody = new AppClient(service.url);

    const statuses = [
      await nobody.get('/notifications'),
      await nobody.get('/notifications/unread-count'),
      await nobody.post('/notifications/read', {}),
    ];
    expect(statuses.map((reply) => reply.status)).toEqual([401, 401, 401]);
  });
});
