import type { Transaction } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import { findCircular, setSuccessors, SUCCESSOR_FAULT } from '../../successions.queries.js';
import { readStagedSuccessors } from './staged-successors.queries.js';
import { type ReadUpload, refusal } from './report.js';

/**
 * Stores which series replace those of the upload; call it once all of its series are stored.
 * @throws {InvalidUpload} naming the rows whose successor is unknown, or replaced by their series itself
 */
export async function mergeSuccessors(
  tx: Transaction,
  tenant: WorkspaceTenant,
  { reader, upload }: ReadUpload,
): Promise<void> {
  const staged = await readStagedSuccessors(tx, tenant);
  if (staged.length === 0) return;
  const refuse = (line: number, fault: keyof typeof SUCCESSOR_FAULT): void => {
    reader.rows.refuse(line, 'replaced_by', SUCCESSOR_FAULT[fault]);
  };
  for (const { line, seriesId, successorId } of staged) {
    if (successorId === null) refuse(line, 'unknown');
    else if (successorId === seriesId) refuse(line, 'itself');
  }
  if (reader.rows.faults.count > 0) throw refusal(reader);
  await setSuccessors(tx, tenant, staged, upload.now);
  const circular = await findCircular(
    tx,
    tenant,
    staged.map(({ seriesId }) => seriesId),
  );
  for (const { line, seriesId } of staged) if (circular.has(seriesId)) refuse(line, 'circular');
  if (reader.rows.faults.count > 0) throw refusal(reader);
}
