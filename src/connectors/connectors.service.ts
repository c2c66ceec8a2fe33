import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { type MemberCaller, recordAuditBy } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { type PageQueryDto, STANDARD_PAGE } from '../platform/http/page-query.js';
import { decodeIdCursor, type Page, toIdPage } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import { DAY_MS } from '../platform/durations.js';
import { isId, newId } from '../platform/ids.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SETTINGS } from '../platform/platform.module.js';
import { holdWorkspace, lockWorkspace, tenantOf, workspaceTimeZone, type WorkspaceTenant } from '../series/index.js';
import { accountOf } from './account.js';
import type { ConnectorTenant, StoredConnector } from './connector.js';
import { type ConnectorBody, type TestResult, toBody } from './connector-body.js';
import {
  deleteConnector,
  findConnector,
  insertConnector,
  listConnectors,
  updateConnector,
} from './connectors.queries.js';
import type { CreateConnectorDto, PatchConnectorDto } from './dto/connector.dto.js';
import { readFields } from './fields.js';
import { understood } from './platforms/pull-page.js';
import type { FieldValues } from './field.js';
import type { Platform } from './platforms/platform.js';
import { findPlatform, PLATFORMS } from './platforms/registry.js';
import { PlatformFault } from './platform-fault.js';
import { askToReconnect, noteWorking } from './reconnect.js';
import { Sessions } from './sessions.js';
import { forgetRetiredDemand, retireDemand } from './orders/retired-demand.queries.js';
import { endOpenSync, findOpenSync, listSyncs, openSync, type Sync } from './sync/syncs.queries.js';
import { type Credentials, Vault } from './vault.js';

const DEFAULT_INTERVAL = 60;
/** Longest that the test of a connector may take, in milliseconds: somebody waits for it. */
const TEST_MS = 15_000;
const SWITCHED_OFF = { code: 'switched_off', message: 'The connector was switched off.' };

/** Connectors of a workspace, as its members see and change them. */
@Injectable()
export class ConnectorsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly sessions: Sessions,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list(member: MemberCaller, paging: PageQueryDto): Promise<Page<ConnectorBody>> {
    const limit = paging.limit ?? STANDARD_PAGE.default;
    const rows = await listConnectors(this.database, tenantOf(member), limit + 1, decodeIdCursor(paging.cursor));
    return toIdPage(
      rows.map((row) => this.body(row)),
      limit,
    );
  }

  /** @throws {Problem} 404 */
  async get(member: MemberCaller, connectorId: string): Promise<ConnectorBody> {
    return this.body(await this.find(this.database, tenantOf(member), connectorId));
  }

  /** @throws {Problem} 400 naming the fields, 409 `connector_exists` */
  async create(member: MemberCaller, input: CreateConnectorDto): Promise<ConnectorBody> {
    const tenant = tenantOf(member);
    const platform = PLATFORMS[input.platform];
    const { settings, secrets } = readFields(platform, input.settings, {});
    const now = this.clock.now();
    const id = newId();
    const connector = {
      id,
      platform: platform.name,
      account: accountOf(platform, settings),
      name: input.name,
      settings,
      sealed: this.vault.seal(id, { values: secrets, former: {} }),
      timeZone: input.time_zone ?? (await workspaceTimeZone(this.database, tenant)),
      countsFrom: input.counts_from ?? defaultCountsFrom(platform, now),
      intervalMinutes: input.sync_interval_minutes ?? DEFAULT_INTERVAL,
      enabled: input.enabled ?? true,
    };
    return this.database.transaction(async (tx) => {
      const created = await insertConnector(tx, tenant, connector, now);
      if (!created) {
        throw new Problem(
          409,
          'connector_exists',
          'The workspace reads this account already: twice, it would count twice.',
        );
      }
      await forgetRetiredDemand(tx, tenant, connector);
      await this.record(tx, member, 'connector.created', id, { platform: platform.name, name: input.name });
      return this.body(created);
    });
  }

  /** @throws {Problem} 400 naming the fields, 404 */
  change(member: MemberCaller, connectorId: string, input: PatchConnectorDto): Promise<ConnectorBody> {
    const tenant = tenantOf(member);
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const known = await this.find(tx, tenant, connectorId, 'lock');
      const platform = findPlatform(known.platform)!;
      const before = this.vault.open(known);
      const values = { ...known.settings, ...before.values };
      const { settings, secrets } =
        input.settings === undefined
          ? { settings: known.settings, secrets: before.values }
          : readFields(platform, input.settings, values);
      const enabled = input.enabled ?? known.enabled;
      const changed = input.settings === undefined ? [] : changedFields(platform, values, { ...settings, ...secrets });
      const change = {
        name: input.name ?? known.name,
        settings,
        sealed:
          input.settings === undefined
            ? known.sealed
            : this.vault.seal(known.connectorId, {
                values: secrets,
                former: formerSecrets(platform, before, secrets, now),
              }),
        intervalMinutes: input.sync_interval_minutes ?? known.intervalMinutes,
        enabled,
        syncNow: (enabled && !known.enabled) || changed.length > 0,
      };
      if (known.enabled && !enabled) await endOpenSync(tx, { ...tenant, connectorId }, SWITCHED_OFF);
      const updated = await updateConnector(tx, { ...tenant, connectorId }, change, now);
      await this.record(tx, member, 'connector.changed', known.connectorId, {
        changed: [
          ...Object.keys(input).filter((name) => name !== 'settings'),
          ...changed.map((name) => `settings.${name}`),
        ],
      });
      return this.body(updated);
    });
  }

  /** The demand it brought stays, and counts on beside what other connectors bring. @throws {Problem} 404 */
  remove(member: MemberCaller, connectorId: string): Promise<void> {
    const tenant = tenantOf(member);
    return this.database.transaction(async (tx) => {
      await lockWorkspace(tx, tenant);
      await this.find(tx, tenant, connectorId, 'lock');
      await retireDemand(tx, { ...tenant, connectorId });
      await deleteConnector(tx, tenant, connectorId);
      await this.record(tx, member, 'connector.deleted', connectorId, {});
    });
  }

  /** Tries the credentials; notes that they work, or that they do not. @throws {Problem} 404 */
  async test(member: MemberCaller, connectorId: string): Promise<TestResult> {
    const tenant = tenantOf(member);
    const connector = await this.find(this.database, tenant, connectorId);
    const platform = findPlatform(connector.platform)!;
    const api = this.sessions.open(connector, AbortSignal.timeout(TEST_MS));
    let fault: PlatformFault | undefined;
    const account = await understood(this.logger, async () => (await platform.check(api)).slice(0, 200)).catch(
      (thrown: unknown) => {
        if (!(thrown instanceof PlatformFault)) throw thrown;
        fault = thrown;
        return '';
      },
    );
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      if (fault?.kind === 'reconnect') await askToReconnect(tx, connector, fault, now);
      if (fault === undefined) await noteWorking(tx, { ...tenant, connectorId }, now);
      await this.record(tx, member, 'connector.tested', connectorId, { ok: fault === undefined, code: fault?.code });
    });
    if (fault) return { ok: false, account: null, code: fault.code, message: fault.message };
    return { ok: true, account, code: null, message: null };
  }

  /** Asks for a sync now; where one is open, that is the answer. @throws {Problem} 404 */
  sync(member: MemberCaller, connectorId: string): Promise<Sync> {
    const tenant = tenantOf(member);
    return this.database.transaction(async (tx) => {
      await this.find(tx, tenant, connectorId, 'lock');
      const open = await openedSync(tx, { ...tenant, connectorId });
      await this.record(tx, member, 'connector.sync_requested', connectorId, { sync_id: open.id });
      return open;
    });
  }

  /** @throws {Problem} 404 */
  async syncs(member: MemberCaller, connectorId: string, paging: PageQueryDto): Promise<Page<Sync>> {
    const tenant = tenantOf(member);
    await this.find(this.database, tenant, connectorId);
    const limit = paging.limit ?? STANDARD_PAGE.default;
    return toIdPage(
      await listSyncs(this.database, tenant, connectorId, limit + 1, decodeIdCursor(paging.cursor)),
      limit,
    );
  }

  private async find(
    db: Parameters<typeof findConnector>[0],
    tenant: WorkspaceTenant,
    connectorId: string,
    lock: 'lock' | 'read' = 'read',
  ): Promise<StoredConnector> {
    if (lock === 'lock') await holdWorkspace(db, tenant);
    const found = isId(connectorId) ? await findConnector(db, tenant, connectorId, lock) : undefined;
    if (!found) throw Problem.notFound('connector');
    return found;
  }

  private body(connector: StoredConnector): ConnectorBody {
    return toBody(connector, this.vault.open(connector).values, this.settings.PUBLIC_URL);
  }

  private record(
    tx: Transaction,
    member: MemberCaller,
    action: string,
    connectorId: string,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return recordAuditBy(tx, member, {
      action,
      target: { kind: 'connector', id: connectorId },
      details: { workspace_id: member.workspaceId, ...details },
      occurredAt: this.clock.now(),
    });
  }
}

/** The sync that is open, or else a new one. */
async function openedSync(tx: Transaction, connector: ConnectorTenant): Promise<Sync> {
  // one that is open may end between the two statements; the next is of this transaction and cannot
  for (let attempt = 0; attempt < 2; attempt++) {
    await openSync(tx, connector, newId(), 'manual');
    const open = await findOpenSync(tx, connector);
    if (open) return open;
  }
  throw new Error('a sync was opened and is not open');
}

/** The first day of the first month that the platform shows whole. */
function defaultCountsFrom({ history }: Platform, now: Date): string {
  const oldest = new Date(now.getTime() - history.days * DAY_MS);
  const next = new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth() + 1, 1));
  return next.toISOString().slice(0, 10);
}

function changedFields({ fields }: Platform, before: FieldValues, after: FieldValues): string[] {
  return fields.map(({ name }) => name).filter((name) => before[name] !== after[name]);
}

/** Secrets that were just replaced and may still be used by what is on its way. */
function formerSecrets(platform: Platform, before: Credentials, after: FieldValues, now: Date): Credentials['former'] {
  const replaced = platform.fields.flatMap(({ name, graceMs }): [string, { value: string; until: string }][] => {
    const value = before.values[name];
    if (graceMs === undefined || value === undefined) return [];
    if (after[name] === value) return before.former[name] ? [[name, before.former[name]]] : [];
    return [[name, { value, until: new Date(now.getTime() + graceMs).toISOString() }]];
  });
  return Object.fromEntries(replaced);
}
