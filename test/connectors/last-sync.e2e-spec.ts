import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SyncRunner } from '../../src/connectors/sync/sync-runner.js';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { createMember } from '../support/builders.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { MailServer } from '../support/mail/mail-server.js';
import { startMailedService } from '../support/mail/mailed-service.js';
import type { TestService } from '../support/test-service.js';
import { Connected, LOCAL_PLATFORMS } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('the state of a connector', () => {
  speedUpRounds(SyncRunner, MailOutbox);
  const mails = new MailServer();
  const shop = platformOfEachTest(() => new WooCommerceServer());
  let service: TestService;
  let workspace: Connected;
  beforeAll(async () => {
    service = await startMailedService(mails, { environment: LOCAL_PLATFORMS });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    workspace = await Connected.create(service);
  });
  /** Nothing is synced but what the test asks for. */
  const connect = () => workspace.connect('woocommerce', shop.settings, { name: 'Shop DE', enabled: false });
  const connectOther = () =>
    workspace.connect('shopify', { shop: 'other.myshopify.com', access_token: 'shpat_1' }, { enabled: false });

  it('is that of its latest sync, in lists and single reads', async () => {
    const id = await connect();
    const other = await connectOther();
    expect((await workspace.get(`/${id}`)).body).toMatchObject({ last_sync: null });
    shop.misbehave.push({ status: 404 });
    const failed = await workspace.ended(id, String((await workspace.post(`/${id}/sync`)).body['id']));
    expect(failed).toMatchObject({ status: 'failed', error: { code: expect.any(String) } });
    const { status, error, started_at, finished_at } = failed;
    const shown = {
      needs_reconnect: false,
      last_synced_at: null,
      last_sync: { status, error, started_at, finished_at },
    };
    expect((await workspace.get(`/${id}`)).body).toMatchObject(shown);
    expect((await workspace.get()).body).toMatchObject([
      { id: other, last_sync: null },
      { id, ...shown },
    ]);

    await workspace.sync(id);
    expect((await workspace.get(`/${id}`)).body).toMatchObject({ last_sync: { status: 'completed', error: null } });
  });

  it('is e-mailed to admins and owners once when working credentials are refused', async () => {
    const [owner, admin] = [
      await createMember(service.database, workspace.organizationId, 'owner'),
      await createMember(service.database, workspace.organizationId, 'admin'),
    ];
    const id = await connect();
    const works = shop.secret;
    const test = async (secret: string) => {
      shop.secret = secret;
      return (await workspace.post(`/${id}/test`)).body['ok'];
    };
    const posted = async () => (await service.database.query('SELECT FROM mail_messages')).length;
    expect(await test('cs_another_consumer_secret')).toBe(false);
    expect(await posted()).toBe(0); // never worked: who has just entered them reads it in the reply
    expect(await test(works)).toBe(true);
    await workspace.ended(id, String((await workspace.post(`/${id}/sync`)).body['id']));
    expect(await test('cs_another_consumer_secret')).toBe(false);
    expect(await posted()).toBe(2);
    expect(await test('cs_another_consumer_secret')).toBe(false);
    expect(await posted()).toBe(2);
    for (const { email } of [owner, admin]) await mails.mailTo(email, 'The connector Shop DE (woocommerce) of');
    expect(new Set(mails.received.flatMap(({ to }) => to))).toEqual(new Set([owner.email, admin.email]));

    expect(await test(works)).toBe(true);
    expect(await test('cs_another_consumer_secret')).toBe(false);
    expect(await posted()).toBe(4);
  });
});
