import type { Transaction } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import type { ImportReportDto } from '../../dto/import.dto.js';
import { LISTED_FAULTS } from '../faults.js';
import type { UploadReader } from '../read-upload.js';
import { faultOfSurplus } from '../row-attributes.js';
import { describedTwice } from '../row-collector.js';
import { findSeriesStagedTwice, findUnknownSeries } from './described-series.queries.js';
import { countMergedSeries, matchSeries, mergeSeries } from './merge.queries.js';
import { mergeSuccessors } from './merge-successors.js';
import { type ReadUpload, refusal, reportOf } from './report.js';
import { findSurplusMetadata } from './surplus-metadata.queries.js';

/**
 * Stores what the rows of a block say about their series; call it after `matchSeries`. Additional columns that, with those of earlier
 * uploads and blocks, exceed a series' limit are added to the faults.
 */
export async function mergeDescriptions(
  tx: Transaction,
  tenant: WorkspaceTenant,
  block: number,
  { reader: { rows }, upload }: ReadUpload,
): Promise<void> {
  for (const { name, line } of await findSurplusMetadata(tx, tenant, block)) {
    const { field, reason } = faultOfSurplus(name);
    rows.refuse(line, field, reason);
  }
  await mergeSeries(tx, tenant, block, upload.now);
}

/**
 * Stores an upload that only describes series.
 * @param tx has locked the workspace
 * @throws {InvalidUpload} naming the series that the workspace does not have: they come into being with demand
 */
export async function storeDescriptions(
  tx: Transaction,
  tenant: WorkspaceTenant,
  read: ReadUpload,
  blocks: number,
): Promise<ImportReportDto> {
  const { reader } = read;
  for (let block = 0; block < blocks; block++) await matchSeries(tx, tenant, block);
  await refuseUnknownSeries(tx, reader);
  if (blocks > 1) await refuseSeriesDescribedTwice(tx, reader);
  if (reader.rows.faults.count > 0) throw refusal(reader);
  for (let block = 0; block < blocks; block++) await mergeDescriptions(tx, tenant, block, read);
  if (reader.rows.faults.count > 0) throw refusal(reader);
  await mergeSuccessors(tx, tenant, read);
  return reportOf(reader, { seriesUpdated: (await countMergedSeries(tx)).updated });
}

async function refuseUnknownSeries(tx: Transaction, { rows: { faults } }: UploadReader): Promise<void> {
  const unknown = await findUnknownSeries(tx, LISTED_FAULTS);
  for (const { uniqueId, line } of unknown) faults.add(line, 'unique_id', noSuchSeries(uniqueId));
  faults.addUnlisted((unknown[0]?.total ?? 0) - unknown.length);
}

/** Those of different blocks: the reader has found repetitions within one. */
async function refuseSeriesDescribedTwice(tx: Transaction, { rows: { faults, counts } }: UploadReader): Promise<void> {
  const repeated = await findSeriesStagedTwice(tx, LISTED_FAULTS);
  for (const { uniqueId, line } of repeated) faults.add(line, 'unique_id', describedTwice(uniqueId));
  const total = repeated[0]?.total ?? 0;
  counts.duplicates += total;
  faults.addUnlisted(total - repeated.length);
}

function noSuchSeries(uniqueId: string): string {
  return `the workspace has no series "${uniqueId}", and rows without ds and y only describe series; upload its demand first`;
}
