import type { Queryable } from '../../../src/platform/database/database.js';

const NOW = new Date();
const HOURS_AHEAD = 12 - NOW.getUTCHours();

/** Midnight (UTC) of the current day in the time zone where it is midday: neither the day nor the month ends there while a suite runs. */
export const TODAY = new Date(NOW.getTime() + HOURS_AHEAD * 3_600_000);
TODAY.setUTCHours(0, 0, 0, 0);

/** Moves the workspace to the time zone where it is midday. */
export async function moveToMidday(db: Queryable, workspaceId: string): Promise<void> {
  // the signs of these names follow POSIX: west is positive
  const zone = `Etc/GMT${HOURS_AHEAD > 0 ? '-' : '+'}${Math.abs(HOURS_AHEAD)}`;
  await db.execute('UPDATE workspaces SET time_zone = $2 WHERE id = $1', [workspaceId, zone]);
}
