import { Injectable } from '@nestjs/common';
import { type MemberCaller, recordAuditBy, tenantOf, WorkspaceScope } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { type Tenant, withBackgroundTimeout, type WorkspaceTenant } from '../platform/database/scope.js';
import { readPublished } from '../platform/database/publication.js';
import { idPage, listPage, type Page } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import type { EditSeriesDto, ListSeriesDto, SeriesDto, TrendChangeDto } from './dto/series.dto.js';
import { deleteSeries } from './delete-demand.queries.js';
import { editSeries } from './edit-series.queries.js';
import { requireSeries } from './read/require-series.js';
import { findSeries, readSeriesPage } from './read/series.queries.js';
import { listTrendChanges, TREND_CHANGE_ORDER } from './trends/trends.queries.js';
import { isOwnColumn, type Metadata, readAttributes } from './upload/row-attributes.js';
import { endSuccessions, findCircular, setSuccessors, SUCCESSOR_FAULT } from './successions.queries.js';
import { lockWorkspace } from './workspace-locks.queries.js';

/** Reads and corrects series. */
@Injectable()
export class SeriesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly workspaces: WorkspaceScope,
  ) {}

  /**
   * Series or, with `trend_changed_since`, changes of their trend labels; newest first.
   * @throws {Problem} 400; 403 and 404 for a workspace that the caller has no access to
   */
  async list(caller: Tenant, query: ListSeriesDto): Promise<Page<SeriesDto | TrendChangeDto>> {
    const { unique_id: uniqueId, category, trend_changed_since: since } = query;
    if (since !== undefined) {
      const [excluded] = (['unique_id', 'category'] as const).filter((name) => query[name] !== undefined);
      if (excluded)
        throw Problem.invalid([{ param: excluded, message: 'cannot be combined with trend_changed_since' }]);
      return this.trendChanges(caller, since, query);
    }
    return idPage('series', query, async (slice) => {
      const scope = await this.workspaces.resolve(caller, query.workspace_id);
      return readSeriesPage(this.database, scope, { uniqueId, category, ...slice });
    });
  }

  private trendChanges(caller: Tenant, since: Date, query: ListSeriesDto): Promise<Page<TrendChangeDto>> {
    return listPage(query, TREND_CHANGE_ORDER, async (slice) => {
      const scope = await this.workspaces.resolve(caller, query.workspace_id);
      return readPublished(this.database, scope.organizationId, (db) =>
        listTrendChanges(db, scope, { changedAfter: since, ...slice }),
      );
    });
  }

  /**
   * @param workspaceId narrows the search, for callers with access to several workspaces
   * @throws {Problem} 403 for a workspace that the caller has no access to, otherwise as {@link requireSeries}
   */
  async find(caller: Tenant, idOrUniqueId: string, workspaceId?: string): Promise<SeriesDto> {
    return requireSeries(this.database, await this.workspaces.resolve(caller, workspaceId), idOrUniqueId);
  }

  /** @throws {Problem} 400 for metadata that an upload could not contain, and for a successor that is unknown or none; 404 */
  async edit(member: MemberCaller, idOrUniqueId: string, change: EditSeriesDto): Promise<SeriesDto> {
    const tenant = tenantOf(member);
    const changed = change.metadata === undefined ? change : { ...change, metadata: metadataOf(change.metadata) };
    const { id } = await this.find(tenant, idOrUniqueId);
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, tenant))) throw Problem.notFound('series');
      const edits = [
        await editSeries(tx, tenant, id, changed, now),
        await replaceSeries(tx, tenant, id, changed.replaced_by, now),
      ];
      if (edits.includes(true)) {
        await recordAuditBy(tx, member, {
          action: 'series.edited',
          target: { kind: 'series', id },
          details: { workspace_id: tenant.workspaceId, ...changed },
          now,
        });
      }
      return requireSeries(tx, tenant, id); // another request may have deleted it in between
    });
  }

  /** Deletes a series with its demand and its results of past runs. @throws {Problem} 404 */
  async remove(member: MemberCaller, idOrUniqueId: string): Promise<void> {
    const tenant = tenantOf(member);
    const { id, unique_id: uniqueId } = await this.find(tenant, idOrUniqueId);
    const now = this.clock.now();
    const remove = async (tx: Transaction): Promise<void> => {
      if (!(await lockWorkspace(tx, tenant))) throw Problem.notFound('series');
      await endSuccessions(tx, tenant, id, now);
      if (!(await deleteSeries(tx, tenant, id))) throw Problem.notFound('series');
      await recordAuditBy(tx, member, {
        action: 'series.deleted',
        target: { kind: 'series', id },
        details: { workspace_id: tenant.workspaceId, unique_id: uniqueId },
        now,
      });
    };
    await withBackgroundTimeout(() => this.database.transaction(remove));
  }
}

/**
 * Sets the series that replaces one; undefined keeps it. The caller holds the workspace lock.
 * @throws {Problem} 400 naming `replaced_by`
 */
async function replaceSeries(
  tx: Transaction,
  tenant: WorkspaceTenant,
  seriesId: string,
  successor: string | null | undefined,
  now: Date,
): Promise<boolean> {
  if (successor === undefined) return false;
  const invalid = (fault: keyof typeof SUCCESSOR_FAULT): Problem =>
    Problem.invalid([{ param: 'replaced_by', message: SUCCESSOR_FAULT[fault] }]);
  const successorId = successor === null ? null : (await findSeries(tx, tenant, successor))[0]?.id;
  if (successorId === undefined) throw invalid('unknown');
  if (successorId === seriesId) throw invalid('itself');
  const changed = await setSuccessors(tx, tenant, [{ seriesId, successorId }], now);
  if (changed && (await findCircular(tx, tenant, [seriesId])).size > 0) throw invalid('circular');
  return changed;
}

/** Metadata as an upload would store it: without empty values. @throws {Problem} 400 naming what an upload could not contain */
function metadataOf(given: Metadata): Metadata {
  const own = Object.keys(given).find(isOwnColumn);
  const read =
    own === undefined
      ? readAttributes(Object.entries(given))
      : { field: own, reason: 'is a field of its own, not metadata' };
  if ('reason' in read) throw Problem.invalid([{ param: `metadata.${read.field}`, message: read.reason }]);
  return read.metadata ?? {};
}
