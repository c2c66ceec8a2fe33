import { one, oneOrNone, type Queryable } from '../platform/database/database.js';
import type { ListOrder, Slice } from '../platform/http/pagination.js';
import type { ReleaseBody, ReleaseText } from './dto/replies.dto.js';

// Releases belong to the product: no query here names an organization.

// a date as text: as a Date it would be an instant in some time zone
const COLUMNS = `id, version, released_on::text, title, notes, kind, entries, created_at, updated_at`;

export const RELEASE_ORDER: ListOrder<ReleaseBody> = {
  list: 'releases',
  parts: ['day', 'id'],
  positionOf: (release) => [release.released_on, release.id],
};

/** Releases, newest first. */
export function listReleases(db: Queryable, { limit, after = [] }: Slice): Promise<ReleaseBody[]> {
  const [day, id] = after;
  return db.query<ReleaseBody>(
    `SELECT ${COLUMNS} FROM releases
      WHERE $1::date IS NULL OR (released_on, id) < ($1, $2::uuid)
      ORDER BY releases.released_on DESC, id DESC LIMIT $3`,
    [day ?? null, id ?? null, limit],
  );
}

/** A release by id or version. @param lock locks it until the transaction ends */
export function findRelease(db: Queryable, idOrVersion: string, lock?: 'lock'): Promise<ReleaseBody | undefined> {
  return oneOrNone<ReleaseBody>(
    db,
    `SELECT ${COLUMNS} FROM releases WHERE id::text = lower($1) OR version = $1${lock ? ' FOR NO KEY UPDATE' : ''}`,
    [idOrVersion],
  );
}

/** @returns undefined if the version already exists */
export function insertRelease(
  db: Queryable,
  release: ReleaseText & { readonly id: string },
  at: Date,
): Promise<ReleaseBody | undefined> {
  return oneOrNone<ReleaseBody>(
    db,
    `INSERT INTO releases (id, version, released_on, title, notes, kind, entries, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT (version) DO NOTHING RETURNING ${COLUMNS}`,
    [
      release.id,
      release.version,
      release.released_on,
      release.title,
      release.notes,
      release.kind,
      JSON.stringify(release.entries),
      at,
    ],
  );
}

/** Sets the given members of a release that {@link findRelease} has locked, and leaves the others unchanged. */
export function updateRelease(
  db: Queryable,
  id: string,
  change: Partial<Omit<ReleaseText, 'version'>>,
  at: Date,
): Promise<ReleaseBody> {
  return one<ReleaseBody>(
    db,
    `UPDATE releases SET released_on = coalesce($2::date, releases.released_on), title = coalesce($3, title), notes = coalesce($4, notes),
       kind = coalesce($5, kind), entries = coalesce($6::jsonb, entries), updated_at = $7
      WHERE id = $1 RETURNING ${COLUMNS}`,
    [
      id,
      change.released_on ?? null,
      change.title ?? null,
      change.notes ?? null,
      change.kind ?? null,
      change.entries === undefined ? null : JSON.stringify(change.entries),
      at,
    ],
  );
}
