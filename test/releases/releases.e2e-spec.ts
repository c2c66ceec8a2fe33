import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangelogImport } from '../../src/releases/changelog/changelog-import.js';
import { nextPage } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createSession, createUser } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface ReleaseBody {
  id: string;
  version: string;
  released_on: string;
  title: string;
  notes: string;
  kind: string;
  entries: { kind: string; text: string }[];
}

describe('releases', () => {
  let service: TestService;
  let operator: AppClient;
  let user: AppClient;
  const nobody = () => new AppClient(service.url);
  beforeAll(async () => {
    service = await startTestService();
    const session = async (isOperator: boolean) =>
      createSession(service.database, (await createUser(service.database, { isOperator })).id);
    operator = new AppClient(service.url, await session(true));
    user = new AppClient(service.url, await session(false));
  });
  afterAll(() => service.close());
  beforeEach(() => service.database.execute('DELETE FROM releases'));

  const input = { version: '1.4.0', released_on: '2026-11-20', title: 'Cancel a run', notes: 'At *last*.' };
  const announce = (overrides: object = {}) =>
    operator.post<ReleaseBody>('/admin/releases', { ...input, ...overrides });

  it('are published by operators and read by anyone, by id and by version', async () => {
    const entries = [
      { kind: 'fixed', text: 'A fault.' },
      { kind: 'added', text: '`POST /runs/{id}/cancel`' },
    ];
    const created = await announce({ entries });

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/releases/1.4.0');
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...input,
      kind: 'fixed',
      entries,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await nobody().get('/releases')).body).toEqual([created.body]);
    expect((await nobody().get('/releases/1.4.0')).body).toEqual(created.body);
    for (const id of [created.body.id, created.body.id.toUpperCase()])
      expect((await nobody().get(`/releases/${id}`)).body).toEqual(created.body);
    for (const unknown of ['1.4.1', 'nonsense', '%00', '01976f6c-8f2e-7cc3-a1de-6f1d0c6f1a55']) {
      expect((await nobody().get(`/releases/${unknown}`)).status).toBe(404);
    }
  });

  it('accept kinds written as in Keep a Changelog', async () => {
    const { status, body } = await announce({ kind: 'Fixed', entries: [{ kind: 'Security', text: 'A fault.' }] });

    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'fixed', entries: [{ kind: 'security', text: 'A fault.' }] });
  });

  it.each([
    ['version', { version: '1.4' }],
    ['version', { version: 'v1.4.0' }],
    ['version', { version: '1.4.0+build' }],
    ['version', { version: 1 }],
    ['version', { version: undefined }],
    ['released_on', { released_on: '2026-02-30' }],
    ['released_on', { released_on: '20.11.2026' }],
    ['released_on', { released_on: '0000-01-01' }],
    ['title', { title: '' }],
    ['title', { title: 'No character: \uffff' }],
    ['notes', { notes: 'x'.repeat(20_001) }],
    ['notes', { notes: undefined }],
    ['kind', { kind: 'feature' }],
    ['entries', { entries: 'none' }],
    ['entries.0', { entries: [null] }],
    ['entries.0.kind', { entries: [{ kind: 'x', text: 'y' }] }],
    ['entries.0.text', { entries: [{ kind: 'added', text: '' }] }],
    ['codename', { codename: 'Ada' }],
  ])('are refused with an invalid %s: %j', async (param, fault) => {
    const { status, body } = await announce(fault);

    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ param }] });
  });

  it('have unique versions, even when published concurrently', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => announce()));

    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(replies.find((reply) => reply.status === 409)?.body).toMatchObject({ code: 'version_exists' });
  });

  it('are corrected member by member, and keep their version', async () => {
    const { body: release } = await announce({ kind: 'added' });

    const changed = await operator.patch<ReleaseBody>('/admin/releases/1.4.0', { title: 'Runs can be cancelled' });
    expect(changed.body).toMatchObject({ ...input, id: release.id, title: 'Runs can be cancelled', kind: 'added' });
    await Promise.all([
      operator.patch(`/admin/releases/${release.id}`, { notes: 'New notes.' }),
      operator.patch(`/admin/releases/${release.id}`, { kind: 'changed', entries: [{ kind: 'changed', text: 'x' }] }),
    ]);
    expect((await nobody().get('/releases/1.4.0')).body).toMatchObject({
      notes: 'New notes.',
      kind: 'changed',
      entries: [{ text: 'x' }],
    });
    for (const wrong of [{ version: '1.5.0' }, {}, { title: null }]) {
      expect((await operator.patch('/admin/releases/1.4.0', wrong)).status).toBe(400);
    }
    expect((await operator.patch('/admin/releases/9.9.9', { title: 'x' })).status).toBe(404);
  });

  it('keep some content, and trimmed titles, when corrected', async () => {
    await announce({ notes: undefined, entries: [{ kind: 'added', text: 'x' }] });

    const emptied = await operator.patch('/admin/releases/1.4.0', { entries: [] });
    expect([emptied.status, emptied.body['errors']]).toEqual([
      400,
      [{ param: 'entries', message: 'must have at least one entry if there are no notes' }],
    ]);
    expect((await nobody().get('/releases/1.4.0')).body).toMatchObject({ entries: [{ text: 'x' }] });
    const edited = await operator.patch('/admin/releases/1.4.0', { title: ' Better ', notes: 'Why.', entries: [] });
    expect(edited.body).toMatchObject({ title: 'Better', notes: 'Why.', entries: [] });
  });

  it('lose their notes when set to null, as long as there are entries', async () => {
    await announce({ entries: [{ kind: 'added', text: 'x' }] });

    const emptied = await operator.patch<ReleaseBody>('/admin/releases/1.4.0', { notes: null });
    expect([emptied.status, emptied.body.notes]).toEqual([200, '']);
    const entries = [{ kind: 'added', text: 'y' }];
    expect((await operator.patch<ReleaseBody>('/admin/releases/1.4.0', { entries })).body).toMatchObject({ notes: '' });

    await announce({ version: '1.5.0' });
    const refused = await operator.patch('/admin/releases/1.5.0', { notes: null });
    expect([refused.status, refused.body['errors']]).toEqual([
      400,
      [{ param: 'notes', message: 'is required if there are no entries' }],
    ]);
    expect((await nobody().get('/releases/1.5.0')).body).toMatchObject({ notes: input.notes });
  });

  it('are in the audit log with who published and who corrected them', async () => {
    const { body: release } = await announce();
    await operator.patch('/admin/releases/1.4.0', { title: 'Better', kind: 'fixed', notes: release.notes });

    const events = await service.database.query(
      `SELECT action, actor_kind, details FROM audit_events WHERE target_id = $1 ORDER BY sequence`,
      [release.id],
    );

    expect(events).toEqual([
      { action: 'release.created', actor_kind: 'user', details: { version: '1.4.0' } },
      {
        action: 'release.updated',
        actor_kind: 'user',
        details: { version: '1.4.0', changed: ['kind', 'title'] },
      },
    ]);
  });

  it('leave no event, and stay as old as they were, if a correction changes nothing', async () => {
    const entries = [{ kind: 'added', text: 'x' }];
    const { body: release } = await announce({ entries });

    const same = { title: ` ${release.title} `, notes: release.notes, released_on: release.released_on, entries };
    const edited = await operator.patch<ReleaseBody>('/admin/releases/1.4.0', same);

    expect([edited.status, edited.body]).toEqual([200, release]);
    const events = await service.database.query(
      `SELECT FROM audit_events WHERE target_id = $1 AND action = 'release.updated'`,
      [release.id],
    );
    expect(events).toEqual([]);
  });

  it('record all that a correction changes, also of what someone else is correcting', async () => {
    const { body: release } = await announce();
    await using held = await holdRows(service.database, `UPDATE releases SET title = 'Other'`);
    const editing = operator.patch<ReleaseBody>('/admin/releases/1.4.0', { title: release.title, kind: 'fixed' });
    await held.untilAwaitedBy(1);
    await held.release();

    expect((await editing).body).toMatchObject({ title: release.title, kind: 'fixed' });
    const events = await service.database.query(
      `SELECT details->'changed' AS changed FROM audit_events WHERE target_id = $1 AND action = 'release.updated'`,
      [release.id],
    );
    expect(events).toEqual([{ changed: ['kind', 'title'] }]);
  });

  it('can be written by operators only', async () => {
    await announce();

    expect([
      (await user.post('/admin/releases', input)).status,
      (await user.patch('/admin/releases/1.4.0', { title: 'x' })).status,
    ]).toEqual([403, 403]);
    expect([
      (await nobody().post('/admin/releases', input)).status,
      (await nobody().patch('/admin/releases/1.4.0', {})).status,
    ]).toEqual([401, 401]);
  });

  it('are listed newest first, in pages', async () => {
    await announce({ version: '1.0.0', released_on: '2026-01-01' });
    await announce({ version: '2.0.0', released_on: '2026-03-01' });
    await announce({ version: '1.0.1', released_on: '2026-02-01' });
    await announce({ version: '2.0.1', released_on: '2026-03-01' });

    const first = await nobody().get<ReleaseBody[]>('/releases?limit=3');
    const rest = await nobody().get<ReleaseBody[]>(nextPage(first.headers) ?? '');

    expect([...first.body, ...rest.body].map((release) => release.version)).toEqual([
      '2.0.1',
      '2.0.0',
      '1.0.1',
      '1.0.0',
    ]);
    expect(nextPage(rest.headers)).toBeUndefined();
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'page=2'])
      expect((await nobody().get(`/releases?${query}`)).status).toBe(400);
  });

  it('are imported from the project changelog at start, each version once', async () => {
    const changelog = service.app.get(ChangelogImport);
    await changelog.onApplicationBootstrap();
    expect((await nobody().get<ReleaseBody>('/releases/0.1.0')).body).toMatchObject({
      version: '0.1.0',
      kind: 'added',
    });

    await operator.patch('/admin/releases/0.1.0', { title: 'Told better' });
    await Promise.all([changelog.onApplicationBootstrap(), changelog.onApplicationBootstrap()]);

    const { body } = await nobody().get<ReleaseBody[]>('/releases');
    expect(body.filter(({ version }) => version === '0.1.0').map(({ title }) => title)).toEqual(['Told better']);
    expect(await changelog.announce('## [2.0.0] - 2026-02-01\n\n## [1.0.0] - 2026-01-01\n')).toEqual([
      '1.0.0',
      '2.0.0',
    ]);
  });
});
