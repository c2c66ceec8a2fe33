import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../database/connections/with-client.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/**
 * Verifies that the server named in the cluster's pid file really serves this cluster. A cluster that was copied while its server
 * was running contains the original's pid file, and adopting that server would change the original's data.
 * @param url superuser connection to the running server
 * @throws {EmbeddedPostgresError} if it serves another cluster
 */
export async function checkAdopted(cluster: string, url: string): Promise<void> {
  const mark = `adopted-${randomUUID()}`;
  const path = join(cluster, mark);
  try {
    writeFileSync(path, '');
    const { rows } = await withClient(url, (client) =>
      client.query<{ seen: boolean }>('SELECT (pg_stat_file($1, true)).size IS NOT NULL AS seen', [mark]),
    );
    if (!rows[0]?.seen) {
      throw new EmbeddedPostgresError(
        `the embedded database in ${cluster} was copied while its server was running, so the copy may be damaged; stop the original service and copy it again (for an atomic snapshot, remove ${join(cluster, 'postmaster.pid')} instead)`,
      );
    }
  } finally {
    rmSync(path, { force: true });
  }
}
