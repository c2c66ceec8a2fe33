import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { countAttempt, longestWait } from '../../src/access/attempts/attempts.queries.js';
import { leaseRound } from '../../src/compliance/evidence/rounds.queries.js';
import { leaseRenewal } from '../../src/connectors/credentials/renewal.queries.js';
import { leaseSync, takeDueConnector } from '../../src/connectors/sync/sync-work.queries.js';
import { takeDelivery } from '../../src/connectors/webhooks/deliveries.queries.js';
import type { Queryable } from '../../src/platform/database/database.js';
import { newId } from '../../src/platform/ids.js';
import { insertMessage, takeDueMessages } from '../../src/platform/mail/mail.queries.js';
import { leaseSweep } from '../../src/retention/retention.queries.js';
import { advanceSchedule, putSchedule, takeFiring } from '../../src/runs/schedule/schedule.queries.js';
import { takeDueEvents } from '../../src/usage/metering/meter-events.queries.js';
import { createTenant } from '../support/builders.js';
import type { Tenant } from '../support/history.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';

const LEASE_MS = 5_000;
const SUBJECT = { subject: Buffer.from('somebody'), free: 5 };

/** What is put off to a time, or held until one. */
interface PutOff {
  readonly what: string;
  readonly table: string;
  readonly column: string;
  /** Longest that it is put off, as an interval of PostgreSQL. */
  readonly longest: string;
  /** @returns what there was to take, if anything */
  take(db: Queryable): Promise<unknown>;
}

const now = () => new Date();
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const orNothing = <T>([first]: readonly T[]): T | undefined => first;
const takeSweep = (db: Queryable) => leaseSweep(db, now());
const takeRound = async (db: Queryable) =>
  (await leaseRound(db, { holder: newId(), now: now(), early: false })) || undefined;

let service: TestService;
let tenant: Tenant;
let connectorId: string;

const PUT_OFF: readonly PutOff[] = [
  {
    what: 'the next sync of a connector',
    table: 'connectors',
    column: 'next_sync_at',
    longest: '15 minutes',
    take: takeDueConnector,
  },
  {
    what: 'the renewal of a token',
    table: 'connectors',
    column: 'renewing_until',
    longest: '30 seconds',
    take: (db) => leaseRenewal(db, { ...tenant, connectorId }, 30_000),
  },
  {
    what: 'a sync that waits for its platform',
    table: 'connector_syncs',
    column: 'wake_at',
    longest: '1 day',
    take: (db) => leaseSync(db, LEASE_MS),
  },
  {
    what: 'a sync under a lease',
    table: 'connector_syncs',
    column: 'lease_expires_at',
    longest: '10 minutes',
    take: (db) => leaseSync(db, LEASE_MS),
  },
  {
    what: 'a notification from a shop',
    table: 'connector_deliveries',
    column: 'wake_at',
    longest: '30 minutes',
    take: (db) => takeDelivery(db, []),
  },
  {
    what: 'an e-mail',
    table: 'mail_messages',
    column: 'next_attempt_at',
    longest: '30 minutes',
    take: async (db) => orNothing(await takeDueMessages(db, 1)),
  },
  {
    what: 'a meter event',
    table: 'meter_events',
    column: 'next_attempt_at',
    longest: '1 hour',
    take: async (db) => orNothing(await takeDueEvents(db, 1)),
  },
  {
    what: 'a scheduled run',
    table: 'run_schedules',
    column: 'next_run_at',
    longest: '31 days',
    take: () => service.database.transaction(takeFiring),
  },
  { what: 'a sweep', table: 'retention_sweeps', column: 'due_at', longest: '1 day', take: takeSweep },
  {
    what: 'a sweep under a lease',
    table: 'retention_sweeps',
    column: 'leased_until',
    longest: '10 minutes',
    take: takeSweep,
  },
  { what: 'a round of checks', table: 'compliance_rounds', column: 'due_at', longest: '6 hours', take: takeRound },
  {
    what: 'a round of checks under a lease',
    table: 'compliance_rounds',
    column: 'leased_until',
    longest: '10 minutes',
    take: takeRound,
  },
  {
    what: 'a password retry',
    table: 'sign_in_attempts',
    column: 'blocked_until',
    longest: '15 minutes',
    take: async (db) =>
      (await longestWait(db, [SUBJECT], now())) === undefined && (await countAttempt(db, SUBJECT, now()))
        ? 'tried'
        : undefined,
  },
];

describe('after the clock is set back', () => {
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    await stopIntervals(service); // what they would take is for the tests
  });
  afterAll(() => service.close());

  const sql = (text: string, ...values: unknown[]) => service.database.execute(text, values);

  /** One of everything, tried once, with nothing to wait for. */
  beforeEach(async () => {
    for (const table of ['organizations', 'mail_messages', 'sign_in_attempts']) await sql(`DELETE FROM ${table}`);
    tenant = await createTenant(service);
    connectorId = newId();
    const { organizationId, workspaceId } = tenant;
    const ids = [newId(), organizationId, workspaceId, connectorId];
    await sql(
      `INSERT INTO connectors (id, organization_id, workspace_id, platform, name, account, settings, sealed, time_zone, counts_from, interval_minutes, next_sync_at, created_at, updated_at)
       VALUES ($1, $2, $3, 'odoo', 'x', 'x', '{}', '', 'UTC', '2026-01-01', 15, now(), now(), now())`,
      connectorId,
      organizationId,
      workspaceId,
    );
    await sql(
      `INSERT INTO connector_syncs (id, organization_id, workspace_id, connector_id, status, trigger, lease_epoch, wake_at, created_at)
       VALUES ($1, $2, $3, $4, 'running', 'schedule', 1, now(), now())`,
      ...ids,
    );
    await sql(
      `INSERT INTO connector_deliveries (id, organization_id, workspace_id, connector_id, key, topic, attempts, wake_at, received_at)
       VALUES ($1, $2, $3, $4, 'x', 'x', 1, now(), now())`,
      ...ids,
    );
    await insertMessage(service.database, {
      id: newId(),
      kind: 'x',
      sealed: Buffer.of(),
      createdAt: now(),
      expiresAt: inMinutes(60),
    });
    await sql(`UPDATE mail_messages SET attempts = 1`);
    await sql(
      `INSERT INTO meter_events (id, organization_id, identifier, attempts, occurred_at, next_attempt_at)
       VALUES ($1::uuid, $2, concat('run_overage:', $1::text), 1, now(), now())`,
      newId(),
      organizationId,
    );
    await putSchedule(service.database, tenant, {
      day: 15,
      hour: 4,
      timeZone: 'UTC',
      configOverrides: {},
      updatedBy: 'x',
    });
    await sql(`UPDATE run_schedules SET next_run_at = now()`);
    await sql(`UPDATE organizations SET retention_months = 3`);
    await sql(
      `INSERT INTO retention_sweeps (organization_id, due_at, leased_until) VALUES ($1, now(), now())`,
      organizationId,
    );
    await sql(`UPDATE compliance_rounds SET due_at = now(), leased_until = now()`);
    await sql(
      `INSERT INTO sign_in_attempts (subject, failures, last_at, blocked_until) VALUES ($1, 1, now(), now())`,
      SUBJECT.subject,
    );
  });

  const putAhead = ({ table, column }: PutOff, ahead: string) =>
    sql(`UPDATE ${table} SET ${column} = now() + $1::interval`, ahead);

  it.each(PUT_OFF)('$what is delayed no longer than its maximum', async (one) => {
    await putAhead(one, `400 days`);
    expect(await one.take(service.database)).toBeDefined();
  });

  it.each(PUT_OFF)('$what is delayed as long as its maximum despite small clock differences', async (one) => {
    await putAhead(one, `${one.longest} 500 milliseconds`);
    expect(await one.take(service.database)).toBeUndefined();
  });

  it.each([
    { what: 'a sync', table: 'connector_syncs', column: 'wake_at', tried: 'lease_epoch' },
    { what: 'a notification', table: 'connector_deliveries', column: 'wake_at', tried: 'attempts' },
    { what: 'an e-mail', table: 'mail_messages', column: 'next_attempt_at', tried: 'attempts' },
    { what: 'a meter event', table: 'meter_events', column: 'next_attempt_at', tried: 'attempts' },
  ])('$what not yet tried is not delayed', async ({ table, column, tried }) => {
    const one = PUT_OFF.find((put) => put.table === table && put.column === column)!;
    await sql(`UPDATE ${table} SET ${tried} = 0`);
    await putAhead(one, '1 minute');
    expect(await one.take(service.database)).toBeDefined();
  });

  it('a schedule that fired for a far month continues from the current one', async () => {
    await sql(`UPDATE run_schedules SET next_run_at = now() + interval '400 days'`);
    await service.database.transaction(async (tx) => advanceSchedule(tx, (await takeFiring(tx))!));
    const [row] = await service.database.query<{ next_run_at: Date }>('SELECT next_run_at FROM run_schedules');
    expect(row!.next_run_at.getTime()).toBeLessThan(inMinutes(32 * 24 * 60).getTime());
  });
});
