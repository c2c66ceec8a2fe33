import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pagesOf } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createOrganization, createSession } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

type Item = Record<string, unknown> & { created_at: string };

describe('members, open invitations and own sessions', () => {
  let service: TestService;
  let client: AppClient;
  let lists: Record<'members' | 'invitations' | 'sessions', string>;
  beforeAll(async () => {
    service = await startTestService();
    const { id } = await createOrganization(service.database, { plan: 'scale' });
    const admin = await createMember(service.database, id, 'admin');
    client = new AppClient(service.url, admin.token);
    lists = { members: `/orgs/${id}/members`, invitations: `/orgs/${id}/invitations`, sessions: '/auth/sessions' };
    for (const name of ['ada', 'ben', 'cleo', 'dora', 'emil']) {
      await createMember(service.database, id, 'viewer');
      await createSession(service.database, admin.id);
      await client.post(lists.invitations, { email: `${name}@example.com`, role: 'viewer' });
    }
    // two who became members at the same moment
    await service.database.execute(
      `UPDATE memberships SET created_at = (SELECT max(created_at) FROM memberships) WHERE organization_id = $1 AND role = 'viewer'`,
      [id],
    );
  });
  afterAll(() => service.close());

  it.each([
    ['members', 6],
    ['invitations', 5],
    ['sessions', 6],
  ] as const)('%s are returned whole without a page size, else in pages, newest first', async (name, count) => {
    const whole = await client.get<Item[]>(lists[name]);
    expect([whole.body.length, whole.headers.get('link')]).toEqual([count, null]);
    const times = whole.body.map((item) => item.created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    const collected: Item[] = [];
    for await (const page of pagesOf<Item[]>(client, `${lists[name]}?limit=2`)) {
      expect(page.length).toBeLessThanOrEqual(2);
      collected.push(...page);
    }
    expect(collected.map(withoutUse)).toEqual(whole.body.map(withoutUse));
  });

  it.each(['members', 'invitations', 'sessions'] as const)('%s refuse invalid page parameters', async (name) => {
    for (const [query, param] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['cursor=x', 'cursor'],
      ['page=2', 'page'],
    ]) {
      expect(await client.get(`${lists[name]}?${query}`)).toMatchObject({ status: 400, body: { errors: [{ param }] } });
    }
  });
});

/** The requests of the test itself move the time of the last use. */
const withoutUse = ({ last_seen_at: _, ...item }: Item): Omit<Item, 'last_seen_at'> => item;
