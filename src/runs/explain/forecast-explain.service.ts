import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type ExplainedChange, MonthlyChangeSums, sumChanges } from '../../forecasting/index.js';
import { type ComparedRuns, countCompared, listCompared, type NamedSeries } from '../../forecasts/index.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { within } from '../../platform/work/deadline.js';
import { type CursorPosition, decodeCursor, pageOf, toPage } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { activeOverrides, describeSeries, overridesAt, requireSeries } from '../../series/index.js';
import { finishOf, newestMonthOf, scopeOf } from '../run.js';
import { RunsService } from '../runs.service.js';
import { Comparisons, type Explained, type RunPair } from './comparisons.js';
import { changeReply, explainedSeries, summarizeTotals } from './explained-change.js';
import type { ForecastExplainDto, ForecastExplainQueryDto } from './forecast-explain.dto.js';
import { roundedSum } from './rounded-change.js';
import { withOverrides } from './with-overrides.js';

const LIST = 'explained_series';
/** Number of series above which totals are omitted: replaying them would keep a process's threads busy for minutes. */
const MAX_SERIES_OF_TOTALS = 10_000;
/** Milliseconds that a caller waits for totals. After that the page is sent without them; a later request gets them. */
const PATIENCE_MS = 5_000;
/** How many added and removed series are named. */
const NAMED = 1_000;
/** Number of series computed before yielding to the event loop. */
const AT_A_TIME = 200;

/** The part of a reply that covers all common series together. */
type Totals = Pick<ForecastExplainDto, 'summary' | 'totals' | 'totals_units' | 'totals_measures'>;
const NO_TOTALS: Totals = { summary: null, totals: null, totals_units: [], totals_measures: [] };

/** Explains why forecasts changed from one run to another. */
@Injectable()
export class ForecastExplainService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly runs: RunsService,
    private readonly comparisons: Comparisons,
  ) {}

  /** @throws {Problem} 400 `runs_not_comparable` for runs of different workspaces, 404, 409 `run_not_completed` */
  async explain(
    scope: Tenant,
    currentId: string,
    priorId: string,
    query: ForecastExplainQueryDto,
  ): Promise<{ readonly reply: ForecastExplainDto; readonly next: CursorPosition | undefined }> {
    const after = decodeCursor(query.cursor, LIST, ['text'])?.[0];
    const current = await this.runs.getCompleted(scope, currentId);
    const prior = await this.runs.getCompleted(scope, priorId);
    if (current.workspace_id !== prior.workspace_id) throw notComparable();
    const pair = { organizationId: scope.organizationId, current, prior };
    const whole = { organizationId: scope.organizationId, current: current.id, prior: prior.id };
    const runs = { ...whole, category: query.category };
    const seriesId = await this.asked(pair, query.series_id);
    const { limit } = query;
    const following = await listCompared(this.database, runs, 'common', { after, seriesId, limit: limit + 1 });
    const page = pageOf(
      LIST,
      toPage(following, limit, (series) => [series.uniqueId]),
    );

    const counts = await countCompared(this.database, runs);
    const { common } = query.category === undefined ? counts : await countCompared(this.database, whole);
    const due = seriesId === undefined && common <= MAX_SERIES_OF_TOTALS;
    const ofWhole = due ? await within(PATIENCE_MS, this.whole(pair, whole)) : undefined;
    const ids = idsOf(ofWhole ? await listCompared(this.database, runs, 'common') : page.items);
    const explained = await this.finals(pair, ids, ofWhole ?? (await this.comparisons.some(pair, ids)));
    const reply = {
      current_run_id: current.id,
      prior_run_id: prior.id,
      ...(ofWhole ? await this.totals(pair, explained, query.category) : NO_TOTALS),
      totals_pending: due && !ofWhole,
      series_compared: counts.common,
      series: await this.seriesReplies(pair, page.items, explained),
      added_total: counts.added,
      added: counts.added === 0 ? [] : await this.firstNamed(runs, 'added'),
      removed_total: counts.removed,
      removed: counts.removed === 0 ? [] : await this.firstNamed(runs, 'removed'),
    };
    return { reply, next: page.next };
  }

  /** All that both runs forecast, of which categories are parts: compared once for all of them. */
  private async whole(pair: RunPair, runs: ComparedRuns): Promise<Explained | undefined> {
    return this.comparisons.whole(pair, idsOf(await listCompared(this.database, runs, 'common')));
  }

  private async totals(pair: RunPair, explained: Explained, category: string | undefined): Promise<Totals> {
    // a series whose forecasts have no month in common contributes nothing
    const added = [...explained].filter(([, { months }]) => months.length > 0);
    const sums = new MonthlyChangeSums();
    for (const [index, [, { months }]] of added.entries()) {
      sums.add(months);
      if ((index + 1) % AT_A_TIME === 0) await nextTurn();
    }
    const months = sums.months();
    const measures = [...new Set(added.map(([, { measure }]) => measure))].sort();
    const units = await this.units(
      pair,
      added.map(([id]) => id),
    );
    return {
      summary:
        explained.size === 0
          ? nothingInCommon(category)
          : summarizeTotals(months, { units, measures, newestMonth: newestMonthOf(pair.current) }),
      totals: changeReply(roundedSum(sumChanges(months))),
      totals_units: units.filter((unit) => unit !== null),
      totals_measures: measures,
    };
  }

  /** Distinct units of the series; null for a series without one. */
  private async units(pair: RunPair, ids: readonly string[]): Promise<(string | null)[]> {
    const described = await describeSeries(this.database, scopeOf(pair, pair.current), ids);
    return [...new Set([...described.values()].map(({ unit }) => unit))].sort();
  }

  /** The id of the requested series; undefined if none is named. @throws {Problem} 404 */
  private async asked(pair: RunPair, idOrUniqueId: string | undefined): Promise<string | undefined> {
    if (idOrUniqueId === undefined) return undefined;
    return (await requireSeries(this.database, scopeOf(pair, pair.current), idOrUniqueId)).id;
  }

  private async firstNamed(runs: ComparedRuns, share: 'added' | 'removed'): Promise<ReturnType<typeof named>[]> {
    return (await listCompared(this.database, runs, share, { limit: NAMED })).map(named);
  }

  /**
   * Applies overrides: those in force when the prior run completed to its forecasts, those in force now to the current ones. Keeps
   * only the named series: a cached comparison may contain some that have been deleted since.
   */
  private async finals(pair: RunPair, ids: readonly string[], forecasts: Explained): Promise<Explained> {
    const scope = scopeOf(pair, pair.current);
    const then = await overridesAt(this.database, scope, ids, finishOf(pair.prior));
    const now = await activeOverrides(this.database, scope, ids, this.clock.now());
    const finals = new Map<string, ExplainedChange>();
    for (const id of ids) {
      const change = forecasts.get(id);
      if (!change) continue;
      const [before, after] = [then.get(id), now.get(id)];
      const untouched = before === undefined && after === undefined;
      const months = untouched ? change.months : withOverrides(change, before, after);
      finals.set(id, { ...change, months });
      if (finals.size % AT_A_TIME === 0) await nextTurn();
    }
    return finals;
  }

  private async seriesReplies(
    pair: RunPair,
    page: readonly NamedSeries[],
    explained: Explained,
  ): Promise<ForecastExplainDto['series']> {
    const described = await describeSeries(this.database, scopeOf(pair, pair.current), idsOf(page));
    return page.map((series) => {
      const { productName, unit } = described.get(series.seriesId) ?? { productName: null, unit: null };
      const change = explained.get(series.seriesId) ?? { measure: 'median', months: [], medians: [] };
      return { ...named(series), product_name: productName, unit, ...explainedSeries(change, unit) };
    });
  }
}

const nothingInCommon = (category: string | undefined): string =>
  `The two runs have no series in common${category === undefined ? '' : ' in this category'}.`;

const idsOf = (series: readonly NamedSeries[]): string[] => series.map(({ seriesId }) => seriesId);

const named = ({ seriesId, uniqueId }: NamedSeries) => ({ series_id: seriesId, unique_id: uniqueId });

function notComparable(): Problem {
  const message = 'must be a run of the same workspace as the current run';
  return new Problem(400, 'runs_not_comparable', `prior: ${message}`, { errors: [{ param: 'prior', message }] });
}
