import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { SyncRunner } from '../../src/connectors/sync/sync-runner.js';
import { DeliveryRunner } from '../../src/connectors/webhooks/delivery-runner.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant } from '../support/builders.js';
import { speedUpRounds } from '../support/time/fast-rounds.js';
import { eventually } from '../support/eventually.js';
import type { Reply } from '../support/reply.js';
import { sharedService } from '../support/shared-service.js';
import { startTestService, type TestService, type TestServiceOptions } from '../support/test-service.js';

type Json = Record<string, unknown>;

/** Lets connectors reach the servers of the tests. */
export const LOCAL_PLATFORMS = { CONNECTOR_PRIVATE_RANGES: '127.0.0.1', CONNECTOR_PLAIN_HTTP: 'on' };

export interface SyncReply {
  readonly id: string;
  readonly status: string;
  readonly trigger: string;
  readonly full: boolean;
  readonly progress: {
    pages: number;
    orders_read: number;
    orders_changed: number;
    lines_skipped: number;
    orders_set_aside: number;
  };
  readonly error: { code: string; message: string } | null;
  readonly waiting_until: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** A workspace with a member who connects things to it. */
export class Connected {
  private constructor(
    readonly service: TestService,
    readonly organizationId: string,
    readonly workspaceId: string,
    readonly workspaceKey: string,
    readonly member: AppClient,
  ) {}

  static async create(service: TestService): Promise<Connected> {
    const { organizationId, workspaceId, workspaceKey } = await createTenant(service);
    const { token } = await createMember(service.database, organizationId, 'member');
    return new Connected(service, organizationId, workspaceId, workspaceKey, new AppClient(service.url, token));
  }

  get path(): string {
    return `/workspaces/${this.workspaceId}/connectors`;
  }

  post<Body = Json>(rest: string, body?: unknown): Promise<Reply<Body>> {
    return this.member.post<Body>(this.path + rest, body);
  }
  get<Body = Json>(rest = ''): Promise<Reply<Body>> {
    return this.member.get<Body>(this.path + rest);
  }
  patch(rest: string, body: unknown): Promise<Reply<Json>> {
    return this.member.patch(this.path + rest, body);
  }

  /** @returns its id; nothing is synced by itself unless the input says so */
  async connect(platform: string, settings: Json, input: Json = {}): Promise<string> {
    const reply = await this.post('', { platform, name: platform, settings, counts_from: '2026-01-01', ...input });
    if (reply.status !== 201) throw new Error(`not connected: ${reply.text}`);
    return String(reply.body['id']);
  }

  /** The same, when the sync that it begins by itself has ended. */
  async connectAndSettle(platform: string, settings: Json, input: Json = {}): Promise<string> {
    const id = await this.connect(platform, settings, input);
    await this.settled(id);
    return id;
  }

  async syncs(id: string): Promise<SyncReply[]> {
    return (await this.get<SyncReply[]>(`/${id}/syncs`)).body;
  }

  /** Asks for a sync and waits for its end. */
  async sync(id: string): Promise<SyncReply> {
    await this.settled(id);
    const { body } = await this.post<SyncReply>(`/${id}/sync`);
    return this.ended(id, body.id);
  }

  ended(id: string, syncId: string): Promise<SyncReply> {
    return eventually(`sync ${syncId} ends`, async () =>
      (await this.syncs(id)).find((sync) => sync.id === syncId && ['completed', 'failed'].includes(sync.status)),
    );
  }

  /** Waits until no sync is open: a connector begins one by itself when it is made. */
  async settled(id: string): Promise<SyncReply | undefined> {
    return eventually('no sync is open', async () => endedOf(await this.syncs(id)));
  }

  /** Waits until the sync has something to wait for. */
  async waiting(id: string): Promise<SyncReply> {
    return eventually('it waits', async () =>
      (await this.syncs(id)).find(({ waiting_until }) => waiting_until !== null),
    );
  }

  /** The same, and spares it that. @returns it as it waited */
  async spareWaiting(id: string): Promise<SyncReply> {
    const waiting = await this.waiting(id);
    await this.service.database.execute('UPDATE connector_syncs SET wake_at = clock_timestamp() WHERE id = $1', [
      waiting.id,
    ]);
    return waiting;
  }

  /** Waits until no sync is open, and spares them whatever they wait for, however short it is. @returns the last one */
  async settledAtOnce(id: string): Promise<SyncReply | undefined> {
    return eventually('no sync is open', async () => {
      await this.service.database.execute(
        `UPDATE connector_syncs SET wake_at = clock_timestamp() WHERE connector_id = $1 AND wake_at > clock_timestamp()`,
        [id],
      );
      return endedOf(await this.syncs(id));
    });
  }

  /** Stored demand by series and day. */
  async demand(): Promise<Record<string, Record<string, number>>> {
    const rows = await this.service.database.query<{ unique_id: string; day: string; quantity: number }>(
      `SELECT series.unique_id, stored.day::text, stored.quantity
       FROM series JOIN demand ON demand.series_id = series.id
       CROSS JOIN LATERAL unnest(demand.days, demand.quantities) AS stored (day, quantity)
       WHERE series.workspace_id = $1 ORDER BY 1, 2`,
      [this.workspaceId],
    );
    const demand: Record<string, Record<string, number>> = {};
    for (const { unique_id, day, quantity } of rows) (demand[unique_id] ??= {})[day] = quantity;
    return demand;
  }

  /** The same without days of no demand. */
  async sold(): Promise<Record<string, Record<string, number>>> {
    const entries = Object.entries(await this.demand()).map(
      ([sku, days]) =>
        [sku, Object.fromEntries(Object.entries(days).filter(([, quantity]) => quantity !== 0))] as const,
    );
    return Object.fromEntries(entries);
  }
}

/** The last of the syncs where all have ended. */
function endedOf(syncs: readonly SyncReply[]): SyncReply | undefined {
  return syncs.every(({ status }) => ['completed', 'failed'].includes(status)) ? syncs[0] : undefined;
}

/**
 * A workspace that is a new one for each test of the surrounding `describe`, of the service that the suites of a file share, or of one
 * started with options for them alone.
 */
export function connectedWorkspace(options?: TestServiceOptions): Connected {
  const workspace = Object.create(Connected.prototype) as Connected;
  let service: TestService;
  speedUpRounds(SyncRunner, DeliveryRunner);
  beforeAll(async () => {
    service = options
      ? await startTestService({ ...options, environment: { ...LOCAL_PLATFORMS, ...options.environment } })
      : await sharedService({ environment: LOCAL_PLATFORMS });
  });
  afterAll(() => (options ? service.close() : undefined));
  beforeEach(async () => {
    Object.assign(workspace, await Connected.create(service));
  });
  return workspace;
}
