import { loadSettings } from '../../../config/settings.js';
import { recordAudit } from '../../access/audit/audit-log.js';
import { markUnreadableApiKeys } from '../../access/api-keys/api-keys.queries.js';
import { Clock } from '../../platform/clock.js';
import { CHECKED_SECRETS, replaceSecrets } from '../../platform/crypto/check-secrets.js';
import { loadSecrets } from '../../platform/crypto/secrets.js';
import { prepareDatabase } from '../../platform/database/setup/prepare-database.js';
import { SCHEMA } from '../../schema.js';
import { openAsOwner } from '../../start/open-database.js';
import { COMMAND_LINE } from '../actor.js';
import { commandDatabase } from '../context.js';
import { oneOf } from '../input/options.js';
import type { Answer } from '../output/answer.js';

/**
 * Makes the current secrets the expected ones. Unlike other commands it works as the owner and checks no secrets: if both are lost,
 * one can be replaced before the other is available.
 */
export async function replaceSecretsCommand(given: readonly string[], environment: NodeJS.ProcessEnv): Promise<Answer> {
  const names = [...new Set(given.map((name) => oneOf('the secret', name, CHECKED_SECRETS)))];
  const settings = loadSettings(environment);
  const secrets = loadSecrets(settings);
  const owner = await openAsOwner(settings, secrets);
  const database = commandDatabase(owner.url);
  try {
    await prepareDatabase(SCHEMA, owner.url);
    const now = new Clock().now();
    const replaced = await database.transaction(async (tx) => {
      const differed = await replaceSecrets(tx.client, names, secrets);
      for (const { name, former, present } of differed) {
        if (name === 'API_KEY_PEPPER') await markUnreadableApiKeys(tx, former, present);
        await recordAudit(tx, {
          organizationId: null,
          actor: COMMAND_LINE,
          action: 'secret.replaced',
          target: { kind: 'secret', id: name },
          details: {},
          now,
        });
      }
      return differed.map(({ name }) => name);
    });
    return names.map((name) => ({ name, replaced: replaced.includes(name) }));
  } finally {
    await database.pool.end();
    await owner.release();
  }
}
