import { recordAuditBy, type TenantCaller } from '../../access/index.js';
import type { Database } from '../../platform/database/database.js';
import type { RunDto } from '../dto/run.dto.js';

/** Records in the audit log that forecasts of a run were taken as a file. @param taken how many, and by which filter */
export function recordExport(
  database: Database,
  caller: TenantCaller,
  run: RunDto,
  taken: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  return database.transaction((tx) =>
    recordAuditBy(tx, caller, {
      action: 'forecasts.exported',
      target: { kind: 'run', id: run.id },
      details: { workspace_id: run.workspace_id, ...taken },
      now,
    }),
  );
}
