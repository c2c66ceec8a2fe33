import type { Transaction } from '../platform/database/database.js';
import { newId } from '../platform/ids.js';
import {
  insertTrendChanges,
  type MissingDays,
  overridesInAdvance,
  publishTrendChanges,
  readTrendStates,
  type RunScope,
  saveTrendStates,
  workspaceTimeZone,
} from '../series/index.js';
import { insertAlerts, type NewAlert, publishAlerts } from './alerts.queries.js';
import type { SeriesFindings } from './findings.js';
import { judgeFindings } from './judge-findings.js';
import { withMissingDays } from './with-missing-days.js';
import { withOverrides } from './with-overrides.js';

/**
 * Inserts a run's alerts, trend states and label changes, a batch at a time, in the transaction that completes it. None of them is dated
 * until {@link publishFindings}. The caller holds the workspace lock, since each run's judgement builds on the state left by the previous
 * one.
 * @param missingDays days of the workspace that were probably not uploaded
 */
export async function recordFindings(
  tx: Transaction,
  run: RunScope,
  batch: readonly SeriesFindings[],
  missingDays: readonly MissingDays[],
): Promise<void> {
  const former = await readTrendStates(
    tx,
    run,
    batch.map((findings) => findings.seriesId),
  );
  const judgements = batch.flatMap((findings) => judgeFindings(findings, former.get(findings.seriesId)) ?? []);
  await saveTrendStates(
    tx,
    run,
    judgements.map((judgement) => judgement.state),
  );
  await insertTrendChanges(
    tx,
    run,
    judgements.flatMap(({ state: { seriesId }, labelChange }) =>
      labelChange ? [{ id: newId(), seriesId, previousLabel: labelChange.previous, label: labelChange.label }] : [],
    ),
  );
  const found = judgements.flatMap(({ state: { seriesId }, alerts }) =>
    alerts.map((change) => ({ seriesId, change: withMissingDays(change, missingDays) })),
  );
  await insertAlerts(tx, run, await explained(tx, run, found));
}

/** Alerts that name the overrides of their months. */
async function explained(
  tx: Transaction,
  run: RunScope,
  found: readonly Omit<NewAlert, 'id'>[],
): Promise<readonly NewAlert[]> {
  if (found.length === 0) return [];
  const seriesIds = found.map(({ seriesId }) => seriesId);
  const overrides = await overridesInAdvance(tx, run, seriesIds, await workspaceTimeZone(tx, run));
  return found.map(({ seriesId, change }) => ({
    id: newId(),
    seriesId,
    change: withOverrides(change, overrides.get(seriesId)),
  }));
}

/** Dates what {@link recordFindings} has inserted for the run. */
export async function publishFindings(tx: Transaction, run: RunScope, at: Date): Promise<void> {
  await publishTrendChanges(tx, run, at);
  await publishAlerts(tx, run, at);
}
