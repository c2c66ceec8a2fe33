import { Injectable } from '@nestjs/common';
import { changeBetween, recordAuditByOperator, type UserCaller } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database, type Queryable } from '../platform/database/database.js';
import { listPage, type Page } from '../platform/http/pagination.js';
import { Problem } from '../platform/http/problem.js';
import { isId, newId } from '../platform/ids.js';
import type { CreateReleaseDto, EditReleaseDto, ListReleasesDto } from './dto/inputs.dto.js';
import type { ReleaseBody, ReleaseText } from './dto/replies.dto.js';
import { leadingKind } from './release.js';
import { findRelease, insertRelease, listReleases, RELEASE_ORDER, updateRelease } from './releases.queries.js';
import { isVersion } from './version.js';

@Injectable()
export class ReleasesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  list(query: ListReleasesDto): Promise<Page<ReleaseBody>> {
    return listPage(query, RELEASE_ORDER, (slice) => listReleases(this.database, slice));
  }

  /**
   * @param idOrVersion the id or version of the release
   * @throws {Problem} 404
   */
  get(idOrVersion: string): Promise<ReleaseBody> {
    return requireRelease(this.database, idOrVersion);
  }

  /** @throws {Problem} 409 `version_exists` */
  async create(operator: UserCaller, input: CreateReleaseDto): Promise<ReleaseBody> {
    const entries = input.entries ?? [];
    const notes = input.notes ?? '';
    requireContent({ notes, entries }, 'notes');
    const { version, released_on } = input;
    const text = {
      version,
      released_on,
      title: input.title.trim(),
      notes,
      entries,
      kind: input.kind ?? leadingKind(entries),
    };
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const release = await insertRelease(tx, { ...text, id: newId() }, now);
      if (!release)
        throw new Problem(409, 'version_exists', `A release with version ${version} already exists. Edit that one.`);
      await recordAuditByOperator(tx, operator, {
        action: 'release.created',
        target: { kind: 'release', id: release.id },
        details: { version },
        now,
      });
      return release;
    });
  }

  /**
   * Edits a release; a no-op if nothing changes. Its version cannot change, since it was announced under it.
   * @throws {Problem} 404; 400 if nothing is left
   */
  edit(operator: UserCaller, idOrVersion: string, input: EditReleaseDto): Promise<ReleaseBody> {
    const { title, notes, entries, ...others } = input;
    const change = {
      ...others,
      ...(title !== undefined && { title: title.trim() }),
      ...(notes !== undefined && { notes: notes ?? '' }),
      ...(entries !== undefined && { entries: entries.map(({ kind, text }) => ({ kind, text })) }),
    };
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      const known = await requireRelease(tx, idOrVersion, 'lock');
      const changed = changeBetween(known, change);
      if (changed === undefined) return known;
      const release = await updateRelease(tx, known.id, change, now);
      requireContent(release, entries === undefined ? 'notes' : 'entries');
      await recordAuditByOperator(tx, operator, {
        action: 'release.updated',
        target: { kind: 'release', id: known.id },
        details: { version: release.version, changed: Object.keys(changed.before) },
        now,
      });
      return release;
    });
  }
}

/** {@link findRelease} of one that must exist. @throws {Problem} 404 */
async function requireRelease(db: Queryable, idOrVersion: string, lock?: 'lock'): Promise<ReleaseBody> {
  const release = isId(idOrVersion) || isVersion(idOrVersion) ? await findRelease(db, idOrVersion, lock) : undefined;
  if (!release) throw Problem.notFound('release');
  return release;
}

const NO_CONTENT = {
  notes: 'is required if there are no entries',
  entries: 'must have at least one entry if there are no notes',
};

/** A release without content is a mistake of the operator. */
function requireContent(
  { notes, entries }: Pick<ReleaseText, 'notes' | 'entries'>,
  param: keyof typeof NO_CONTENT,
): void {
  if (notes === '' && entries.length === 0) throw Problem.invalid([{ param, message: NO_CONTENT[param] }]);
}
