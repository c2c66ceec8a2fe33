import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { changeBetween, type MemberCaller, tenantOf } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { withBackgroundTimeout } from '../platform/database/scope.js';
import { DAY_MS, earlier } from '../platform/durations.js';
import type { PageQueryDto } from '../platform/http/page-query.js';
import { idPage, type Page } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import { newId } from '../platform/ids.js';
import { SETTINGS } from '../platform/platform.module.js';
import { dayOf, nextMonth } from '../platform/utc-calendar.js';
import { latestDemandDay, lockWorkspace, workspaceTimeZone } from '../series/index.js';
import type { ShownConnector, StoredConnector } from './connector.js';
import { toBody } from './connector-body.js';
import {
  countConnectors,
  deleteConnector,
  insertConnector,
  listConnectors,
  updateConnector,
} from './connectors.queries.js';
import { accountOf } from './credentials/account.js';
import { changedFields, formerSecrets } from './credentials/changed-credentials.js';
import { readFields } from './credentials/read-fields.js';
import { type Credentials, credentialsUnreadable, Vault } from './credentials/vault.js';
import type { ConnectorDto, CreateConnectorDto, PatchConnectorDto } from './dto/connector.dto.js';
import { keepRetired, retireDemand } from './orders/retired-demand.queries.js';
import type { Platform } from './platforms/platform.js';
import { PLATFORMS } from './platforms/registry.js';
import { recordConnectorAct } from './record-connector-act.js';
import { holdConnector, requireShownConnector } from './require-connector.js';
import { endOpenSync } from './sync/syncs.queries.js';

/** Connectors of a workspace: each syncs by itself, and keeps records of its orders and syncs. */
const MAX_CONNECTORS = 100;
const DEFAULT_INTERVAL_MINUTES = 60;
/** Replaces unreadable credentials: a member must enter all of them again. */
const NO_CREDENTIALS: Credentials = { values: {}, former: {} };
const SWITCHED_OFF = { code: 'switched_off', message: 'The connector was disabled.' };

/** Connectors of a workspace, as its members see and change them. */
@Injectable()
export class ConnectorsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly vault: Vault,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  list(member: MemberCaller, paging: PageQueryDto): Promise<Page<ConnectorDto>> {
    return idPage('connectors', paging, async (slice) =>
      (await listConnectors(this.database, tenantOf(member), slice)).map((row) => this.body(row)),
    );
  }

  /** @throws {Problem} 404 */
  async get(member: MemberCaller, connectorId: string): Promise<ConnectorDto> {
    return this.body(await requireShownConnector(this.database, tenantOf(member), connectorId));
  }

  /** @throws {Problem} 400 naming the fields, 404, 409 `connector_exists` or `too_many_connectors` */
  async create(member: MemberCaller, input: CreateConnectorDto): Promise<ConnectorDto> {
    const tenant = tenantOf(member);
    const platform = PLATFORMS[input.platform];
    const now = this.clock.now();
    // it cannot be changed, and no order would count until then
    if (input.counts_from !== undefined && input.counts_from > latestDemandDay(now)) {
      throw Problem.invalid([{ param: 'counts_from', message: 'must not be after the month in progress' }]);
    }
    const { settings, secrets } = readFields(platform, input.settings, {});
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
      intervalMinutes: input.sync_interval_minutes ?? DEFAULT_INTERVAL_MINUTES,
      enabled: input.enabled ?? true,
    };
    return this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, tenant))) throw Problem.notFound('workspace');
      const created = await insertConnector(tx, tenant, connector, now);
      if (!created) {
        throw new Problem(
          409,
          'connector_exists',
          'The workspace already has a connector for this account. A second one would count its orders twice.',
        );
      }
      if ((await countConnectors(tx, tenant)) > MAX_CONNECTORS) {
        throw new Problem(
          409,
          'too_many_connectors',
          `A workspace can have up to ${MAX_CONNECTORS} connectors. Delete one that is no longer needed, or use another workspace.`,
          { members: { limit: MAX_CONNECTORS } },
        );
      }
      await keepRetired(tx, { ...tenant, connectorId: id });
      await recordConnectorAct(tx, member, {
        action: 'connector.created',
        connectorId: id,
        details: { platform: platform.name, name: input.name },
        now,
      });
      return this.body(created);
    });
  }

  /** @throws {Problem} 400 naming the fields, 404 */
  change(member: MemberCaller, connectorId: string, input: PatchConnectorDto): Promise<ConnectorDto> {
    const tenant = tenantOf(member);
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const known = await holdConnector(tx, tenant, connectorId);
      const { settings, sealed, changed } = this.fieldsAfter(known, input.settings, now);
      const enabled = input.enabled ?? known.enabled;
      const change = {
        name: input.name ?? known.name,
        settings,
        sealed,
        intervalMinutes: input.sync_interval_minutes ?? known.intervalMinutes,
        enabled,
        syncNow: (enabled && !known.enabled) || changed.length > 0,
      };
      if (known.enabled && !enabled) await endOpenSync(tx, { ...tenant, connectorId }, SWITCHED_OFF);
      const updated = await updateConnector(tx, { ...tenant, connectorId }, change, now);
      const plain = changeBetween(plainFields(known), plainFields(change));
      if (plain !== undefined || changed.length > 0) {
        await recordConnectorAct(tx, member, {
          action: 'connector.changed',
          connectorId: known.connectorId,
          // only the names of settings: some are secret
          details: { ...plain, ...(changed.length > 0 && { settings_changed: changed }) },
          now,
        });
      }
      return this.body(updated);
    });
  }

  /** Removes a connector. Its demand stays and is added to that of other connectors. @throws {Problem} 404 */
  async remove(member: MemberCaller, connectorId: string): Promise<void> {
    const tenant = tenantOf(member);
    const remove = async (tx: Transaction): Promise<void> => {
      await lockWorkspace(tx, tenant);
      const { name, platform } = await holdConnector(tx, tenant, connectorId);
      await retireDemand(tx, { ...tenant, connectorId });
      await deleteConnector(tx, tenant, connectorId);
      await recordConnectorAct(tx, member, {
        action: 'connector.deleted',
        connectorId,
        details: { name, platform },
        now: this.clock.now(),
      });
    };
    await withBackgroundTimeout(() => this.database.transaction(remove));
  }

  /** Settings and credentials after a change, and the names of changed fields. @throws {Problem} 400 naming the invalid fields */
  private fieldsAfter(
    known: StoredConnector,
    given: PatchConnectorDto['settings'],
    now: Date,
  ): Pick<StoredConnector, 'settings' | 'sealed'> & { readonly changed: readonly string[] } {
    if (given === undefined) return { settings: known.settings, sealed: known.sealed, changed: [] };
    const platform = PLATFORMS[known.platform];
    const before = this.vault.tryOpen(known) ?? NO_CREDENTIALS;
    const values = { ...known.settings, ...before.values };
    const { settings, secrets } = readFields(platform, given, values);
    const former = formerSecrets(platform, before, secrets, now);
    return {
      settings,
      sealed: this.vault.seal(known.connectorId, { values: secrets, former }),
      changed: changedFields(platform, values, { ...settings, ...secrets }),
    };
  }

  private body(connector: ShownConnector): ConnectorDto {
    const credentials = this.vault.tryOpen(connector);
    if (credentials) return toBody(connector, credentials.values, this.settings.PUBLIC_URL);
    const { code, message } = credentialsUnreadable();
    const reconnectReason = connector.reconnectReason ?? { code, message, since: connector.updatedAt.toISOString() };
    return toBody({ ...connector, reconnectReason }, {}, this.settings.PUBLIC_URL);
  }
}

/** The properties of a connector that the audit log records, other than its settings. */
function plainFields({
  name,
  intervalMinutes,
  enabled,
}: Pick<StoredConnector, 'name' | 'intervalMinutes' | 'enabled'>) {
  return { name, sync_interval_minutes: intervalMinutes, enabled };
}

/** The first day of the first month for which the platform still shows all orders. */
function defaultCountsFrom({ history }: Platform, now: Date): string {
  return dayOf(nextMonth(earlier(now, history.days * DAY_MS)));
}
