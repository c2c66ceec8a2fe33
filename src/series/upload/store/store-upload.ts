import type { MonthNumber } from '../../../forecasting/index.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { withBackgroundTimeout, type WorkspaceTenant } from '../../../platform/database/scope.js';
import { Problem } from '../../../platform/http/problem.js';
import type { ImportReportDto } from '../../dto/import.dto.js';
import { findMissingDays } from '../../read/find-missing-days.js';
import { findHistoryEnd } from '../../read/history-end.js';
import { monthInProgress } from '../../read/months.queries.js';
import { lockWorkspace } from '../../workspace-locks.queries.js';
import type { DecimalMark } from '../decimal-mark.js';
import { monthOf } from '../../day-number.js';
import { latestDay } from '../demand-day.js';
import { LISTED_FAULTS } from '../faults.js';
import { dayOfMonthGiven, repeatedDay, type UploadBlock, type UploadFormat, UploadReader } from '../read-upload.js';
import { findDaysRepeatedAcrossBlocks, findMonthsGivenTwiceAcrossBlocks } from './block-conflicts.queries.js';
import { storeDescriptions, mergeDescriptions } from './store-descriptions.js';
import { countGaps, fillWithZero, listGaps } from './fill-months.queries.js';
import {
  analyzeStagedSeries,
  analyzeStaging,
  countMergedSeries,
  countReplacedMonths,
  matchSeries,
  MERGE_DEMAND,
  mergeDemand,
} from './merge.queries.js';
import { refusal, reportOf } from './report.js';
import { mergeSuccessors } from './merge-successors.js';
import { requireRoomForSeries } from './series-limit.js';
import { createStaging, stageBlock } from './staging.js';

const NOTHING_TO_FILL = 'can only be zero for an upload of demand; this one has no columns ds and y';

/** Where and how an upload is stored. For JSON it is known only once the body has been read. */
export interface UploadTarget {
  readonly tenant: WorkspaceTenant;
  /** Store zero for months without a value instead of leaving them missing. */
  readonly fillZero: boolean;
}

export interface Upload {
  readonly format: UploadFormat;
  /** Decimal mark of a CSV file, if specified by its sender. */
  readonly decimal?: DecimalMark | undefined;
  /** Bytes of the body, decompressed. */
  readonly body: AsyncIterable<Buffer>;
  readonly now: Date;
  /** Runs work that holds a connection while more of the body is still to come; if absent, it runs immediately. */
  runInSlot?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Called at the beginning with a function that returns the number of rows read so far. */
  onBegin?(rowsRead: () => number): void;
}

/**
 * Called once the body is read and staged, in the transaction that stores the upload: merges it and stores whatever else belongs to it, all
 * or nothing.
 * @param members those of a JSON body besides its rows
 */
export type StoreStaged<Result> = (
  tx: Transaction,
  members: Readonly<Record<string, unknown>>,
  merge: (target: UploadTarget) => Promise<ImportReportDto>,
) => Promise<Result>;

/**
 * Stores an upload, all or nothing. A body of up to one block (about a million rows) is read and checked completely before a connection is
 * acquired, so that a slow or faulty upload costs the database nothing.
 * @returns the result of `store`
 * @throws {InvalidUpload} naming the rejected lines
 */
export async function storeUpload<Result>(
  database: Database,
  upload: Upload,
  store: StoreStaged<Result>,
): Promise<Result> {
  const started = await begin(upload);
  try {
    const work = (): Promise<Result> =>
      withBackgroundTimeout(() => database.transaction((tx) => storeBlocks(tx, started, store)));
    return await (started.first.whole || !upload.runInSlot ? work() : upload.runInSlot(work));
  } finally {
    await started.rest.return(undefined); // if storing failed, stops reading the body
  }
}

/** As {@link storeUpload}, in a transaction that the caller commits. */
export async function storeUploadIn<Result>(
  tx: Transaction,
  upload: Upload,
  store: StoreStaged<Result>,
): Promise<Result> {
  return storeBlocks(tx, await begin(upload), store);
}

/** An upload whose first block is read and checked. */
interface StartedUpload {
  readonly upload: Upload;
  readonly reader: UploadReader;
  readonly first: UploadBlock;
  readonly rest: AsyncGenerator<UploadBlock>;
}

/** @throws {InvalidUpload} if the first block has a fault, or the body has no rows */
async function begin(upload: Upload): Promise<StartedUpload> {
  const reader = new UploadReader(upload.format, latestDay(upload.now), upload.decimal);
  upload.onBegin?.(() => reader.rows.counts.rows);
  const rest = reader.blocks(upload.body);
  const first = await rest.next();
  if (first.done === true) throw refusal(reader);
  return { upload, reader, first: first.value, rest };
}

async function storeBlocks<Result>(
  tx: Transaction,
  started: StartedUpload,
  store: StoreStaged<Result>,
): Promise<Result> {
  const { reader, first, rest } = started;
  // between two blocks of a large body the transaction waits for the client; it holds no locks yet
  await tx.execute(`SET LOCAL idle_in_transaction_session_timeout = '60s'`);
  await tx.execute('SET LOCAL jit = off'); // compiling takes longer than the one-off statements gain by it
  await createStaging(tx);
  let blocks = 0;
  await stageBlock(tx, blocks++, reader.rows, first);
  for await (const block of rest) await stageBlock(tx, blocks++, reader.rows, block);
  if (reader.rows.faults.count > 0) throw refusal(reader);
  return store(tx, reader.members, (target) => merge(tx, started, target, blocks));
}

async function merge(
  tx: Transaction,
  started: StartedUpload,
  { tenant, fillZero }: UploadTarget,
  blocks: number,
): Promise<ImportReportDto> {
  const { reader } = started;
  if (fillZero && reader.rows.describes) throw Problem.invalid([{ param: 'fill', message: NOTHING_TO_FILL }]);
  await tx.execute(`SET LOCAL idle_in_transaction_session_timeout = '4s'`);
  if (!(await lockWorkspace(tx, tenant))) throw Problem.notFound('workspace');
  await analyzeStaging(tx);
  if (reader.rows.describes) return storeDescriptions(tx, tenant, started, blocks);
  for (let block = 0; block < blocks; block++) {
    await matchSeries(tx, tenant, block);
    await mergeDescriptions(tx, tenant, block, started);
  }
  await analyzeStagedSeries(tx);
  const { created, updated } = await countMergedSeries(tx);
  if (blocks > 1) await refuseDaysRepeatedAcrossBlocks(tx, reader);
  if (reader.rows.faults.count > 0) throw refusal(reader);
  await requireRoomForSeries(tx, tenant, created);
  await mergeSuccessors(tx, tenant, started);
  const replaced = { byFigures: 0, byDays: 0 };
  for (let block = 0; block < blocks; block++) {
    const { byFigures, byDays } = await countReplacedMonths(tx, tenant, block);
    replaced.byFigures += byFigures;
    replaced.byDays += byDays;
    await mergeDemand(tx, tenant, block, MERGE_DEMAND);
  }
  const monthsFilled = fillZero ? await fillWithZero(tx, tenant, await lastMonthToFill(tx, tenant, started)) : 0;
  const gaps = await countGaps(tx);
  const missing = gaps.gaps === 0 ? [] : await listGaps(tx, LISTED_FAULTS);
  return reportOf(reader, {
    seriesCreated: created,
    seriesUpdated: updated,
    monthsFilled,
    replaced,
    ...gaps,
    missing,
    incompleteMonth: await incompleteMonthOf(tx, tenant, reader),
    missingDays: await findMissingDays(tx, tenant, lastMonthOf(reader)),
  });
}

async function refuseDaysRepeatedAcrossBlocks(tx: Transaction, reader: UploadReader): Promise<void> {
  const { faults, counts } = reader.rows;
  const repeated = await findDaysRepeatedAcrossBlocks(tx, LISTED_FAULTS);
  const repetitions = repeated.flatMap(({ uniqueId, day, lines: [first = 0, ...later] }) =>
    later.map((line) => ({ line, reason: repeatedDay(reader.format, uniqueId, day, first) })),
  );
  counts.duplicates += repeated[0]?.total ?? 0;
  for (const { line, reason } of repetitions) faults.add(line, 'ds', reason);
  faults.addUnlisted((repeated[0]?.total ?? 0) - repetitions.length);

  const doubled = await findMonthsGivenTwiceAcrossBlocks(tx, LISTED_FAULTS);
  for (const { uniqueId, day, line, figureLine } of doubled) {
    faults.add(line, 'ds', dayOfMonthGiven(reader.format, uniqueId, day, figureLine));
  }
  faults.addUnlisted((doubled[0]?.total ?? 0) - doubled.length);
}

/** The upload's last month, or the last complete one if that is earlier: the month in progress is not filled. */
async function lastMonthToFill(
  tx: Transaction,
  tenant: WorkspaceTenant,
  { reader, upload }: StartedUpload,
): Promise<MonthNumber> {
  return Math.min(lastMonthOf(reader), (await monthInProgress(tx, tenant, upload.now)) - 1);
}

/** The upload's last month, if a run would exclude it because its last days are still to be uploaded; otherwise null. */
async function incompleteMonthOf(
  tx: Transaction,
  tenant: WorkspaceTenant,
  reader: UploadReader,
): Promise<MonthNumber | null> {
  const lastMonth = lastMonthOf(reader);
  // most uploads end in the month in progress, and need not scan the workspace's demand
  if (lastMonth >= (await monthInProgress(tx, tenant))) return null;
  return (await findHistoryEnd(tx, tenant)).incompleteMonth === lastMonth ? lastMonth : null;
}

function lastMonthOf({ rows }: UploadReader): MonthNumber {
  return monthOf(rows.counts.lastDay);
}
