import { CHECK_NAMES } from '../../../config/soc2.js';
import type { Queryable } from '../../platform/database/database.js';
import type { LatestEvidence } from './coverage.js';
import { listLatestEvidence } from './evidence.queries.js';

/** The latest evidence of every check that was ever run, by its name. */
export async function latestEvidence(db: Queryable): Promise<LatestEvidence> {
  const evidence = await listLatestEvidence(db, CHECK_NAMES);
  return new Map(evidence.map((entry) => [entry.check, entry]));
}
