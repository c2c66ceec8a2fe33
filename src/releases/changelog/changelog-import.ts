import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PROJECT_ROOT } from '../../../config/paths.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { newId } from '../../platform/ids.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { insertRelease } from '../releases.queries.js';
import { parseChangelog } from './changelog-file.js';

/**
 * Announces the releases in the project's CHANGELOG.md at startup, each version once: what operators have edited in a release since
 * then is kept, and processes that start together do not conflict.
 */
@Injectable()
export class ChangelogImport implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const path = join(PROJECT_ROOT, 'CHANGELOG.md');
    try {
      const imported = await this.announce(await readFile(path, 'utf8'));
      if (imported.length > 0) this.logger.info({ versions: imported }, 'releases imported from CHANGELOG.md');
    } catch (error) {
      // forecasts must not depend on the changelog
      this.logger.error({ err: error }, 'CHANGELOG.md was not imported');
    }
  }

  /** @returns the new versions, oldest first */
  async announce(markdown: string): Promise<string[]> {
    const announced: string[] = [];
    for (const text of parseChangelog(markdown).reverse()) {
      const release = await asSystem('release notes', () =>
        insertRelease(this.database, { ...text, id: newId() }, this.clock.now()),
      );
      if (release) announced.push(release.version);
    }
    return announced;
  }
}
