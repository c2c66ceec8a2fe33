import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/platform/ids.js';
import { composeMail } from '../../src/platform/mail/mail.js';
import { MailOutbox } from '../../src/platform/mail/mail-outbox.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Connected, LOCAL_PLATFORMS } from '../connectors/connected.js';
import { WooCommerceServer } from '../connectors/woocommerce-server.js';
import { Api, demandCsv } from '../support/api.js';
import { MailServer } from '../support/mail/mail-server.js';
import { startMailedService } from '../support/mail/mailed-service.js';
import { Scrape } from '../support/scrape.js';
import { eventually } from '../support/eventually.js';
import type { TestService } from '../support/test-service.js';

describe('metrics of background work', () => {
  const mails = new MailServer();
  let meter: Server;
  let shop: WooCommerceServer;
  let service: TestService;
  let workspace: Connected;
  let api: Api;
  beforeAll(async () => {
    let calls = 0;
    meter = createServer((_, reply) => reply.writeHead((calls += 1) === 1 ? 500 : 200).end('{}'));
    await new Promise<void>((resolve) => meter.listen(0, '127.0.0.1', resolve));
    shop = await new WooCommerceServer().start();
    service = await startMailedService(mails, {
      environment: {
        ...LOCAL_PLATFORMS,
        LOG_LEVEL: 'silent',
        STRIPE_SECRET_KEY: 'sk_test',
        STRIPE_API_URL: `http://127.0.0.1:${(meter.address() as AddressInfo).port}`,
      },
    });
    workspace = await Connected.create(service);
    api = new Api(service.url, workspace.workspaceKey);
  });
  afterAll(async () => {
    await service.close();
    await shop.stop();
    meter.closeAllConnections();
    meter.close();
  });

  const counted = (name: string, labels: Record<string, string>, value: number): Promise<true> =>
    eventually(`${name} of ${JSON.stringify(labels)} is ${value}`, async () => {
      const scraped = new Scrape(await service.app.get(Metrics).text());
      return scraped.value(`forecasting_${name}`, labels) === value || undefined;
    });

  it('count e-mails by outcome', async () => {
    const post = (expiresAt = new Date(Date.now() + 3_600_000)): Promise<void> =>
      service.app.get(MailOutbox).post(service.database, {
        kind: 'notice',
        mail: composeMail({ to: 'ada@example.com', subject: 'A notice', paragraphs: ['Something happened.'] }),
        expiresAt,
      });
    await post(new Date(0));
    await counted('mails_total', { outcome: 'expired' }, 1);
    await post();
    await counted('mails_total', { outcome: 'sent' }, 1);
    mails.refusal = { code: 451, at: 'recipient' };
    await post();
    await counted('mails_total', { outcome: 'not_taken' }, 1);
    await counted('backlog_items', { backlog: 'mails' }, 1);
    mails.refusal = { code: 550, at: 'recipient' };
    await service.database.execute(`UPDATE mail_messages SET next_attempt_at = now() WHERE status = 'pending'`);
    await counted('mails_total', { outcome: 'refused' }, 1);
  });

  it('count meter events as refused, then delivered', async () => {
    const { organizationId } = workspace;
    await service.database.execute(
      `INSERT INTO billing_customers (organization_id, stripe_customer_id) VALUES ($1, 'cus_1')`,
      [organizationId],
    );
    await service.database.execute(
      `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at) VALUES ($1, $2, $3, now(), now())`,
      [newId(), organizationId, `run_overage:${newId()}`],
    );
    await counted('meter_events_total', { outcome: 'not_taken' }, 1);
    await service.database.execute(`UPDATE meter_events SET next_attempt_at = now()`);
    await counted('meter_events_total', { outcome: 'delivered' }, 1);
  });

  it('count syncs and errors by platform', async () => {
    const id = await workspace.connectAndSettle('woocommerce', shop.settings);
    const platform = 'woocommerce';
    await counted('connector_syncs_finished_total', { platform, outcome: 'completed' }, 1);
    shop.key = 'ck_another';
    await workspace.sync(id);
    await counted('connector_syncs_finished_total', { platform, outcome: 'failed' }, 1);
    await counted('connector_faults_total', { platform, kind: 'reconnect' }, 1);
  });

  it('count imports that fail after their sender has gone, and those given up', async () => {
    const csv = { 'content-type': 'text/csv', prefer: 'respond-async' };
    const path = `/actuals?workspace_id=${workspace.workspaceId}`;
    expect((await api.send('POST', path, 'unique_id,ds,y\nA,never,1\n', csv)).status).toBe(202);
    await counted('imports_finished_total', { outcome: 'failed' }, 1);
    await service.database.execute(
      `INSERT INTO imports (id, organization_id, workspace_id, state, origin, format, created_at)
       VALUES ($1, $2, $3, 'receiving', 'api', 'csv', now() - interval '2 hours')`,
      [newId(), workspace.organizationId, workspace.workspaceId],
    );
    await counted('imports_finished_total', { outcome: 'failed' }, 2);
  });

  it('count chunks that were taken over, and canceled runs', async () => {
    await api.upload(workspace.workspaceId, demandCsv(2, 30));
    const { id } = await api.run({});
    /** @param wait as an interval, until a worker may take it up again */
    const takenOnce = async (status: string, wait: string): Promise<string> => {
      const copied = newId();
      await service.database.execute(
        `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, lease_epoch, wake_at)
         SELECT $1, organization_id, workspace_id, $3, trigger, config, billed, now(), 1, now() + $4::interval FROM runs WHERE id = $2`,
        [copied, id, status, wait],
      );
      return copied;
    };
    await takenOnce('running', '0');
    await counted('run_takeovers_total', { work: 'plan' }, 1);
    await counted('runs_finished_total', { outcome: 'completed' }, 2);
    const waiting = await takenOnce('queued', '10 minutes');
    expect((await api.post(`/runs/${waiting}/cancel`, {})).status).toBe(200);
    await counted('runs_finished_total', { outcome: 'canceled' }, 1);
    await counted('run_duration_seconds_count', { outcome: 'canceled' }, 0);
  });
});
