import type { Queryable } from '../../platform/database/database.js';

export const FLAG_NAMES = ['disable_public_api'] as const;
export type FlagName = (typeof FLAG_NAMES)[number];

export interface FlagRow {
  name: FlagName;
  enabled: boolean;
  reason: string | null;
  changed_by: string;
  changed_at: Date;
}

export function listFlags(db: Queryable): Promise<FlagRow[]> {
  return db.query<FlagRow>(`SELECT name, enabled, reason, changed_by, changed_at FROM platform_flags ORDER BY name`);
}

/** A flag, possibly one that was never set. */
export type Flag = Omit<FlagRow, 'changed_by' | 'changed_at'> & {
  readonly changed_by: string | null;
  readonly changed_at: Date | null;
};

/** All flags, set or not. */
export async function listAllFlags(db: Queryable): Promise<Flag[]> {
  const set = new Map((await listFlags(db)).map((flag) => [flag.name, flag]));
  return FLAG_NAMES.map(
    (name) => set.get(name) ?? { name, enabled: false, reason: null, changed_by: null, changed_at: null },
  );
}

export async function setFlag(db: Queryable, flag: FlagRow): Promise<void> {
  await db.execute(
    `INSERT INTO platform_flags (name, enabled, reason, changed_by, changed_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (name) DO UPDATE SET enabled = $2, reason = $3, changed_by = $4, changed_at = $5`,
    [flag.name, flag.enabled, flag.reason, flag.changed_by, flag.changed_at],
  );
}
