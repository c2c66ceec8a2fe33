import { loadSettings } from '../../../config/settings.js';
import { COMMAND_LINE } from '../../access/audit/audit-event.js';
import { recordAudit } from '../../access/audit/audit-log.js';
import { CHECKED_SECRETS, forgetSecret } from '../../platform/crypto/check-secrets.js';
import { loadSecrets } from '../../platform/crypto/secrets.js';
import { openAsOwner } from '../../start/open-database.js';
import { withAdminContext } from '../context.js';
import { oneOf } from '../input.js';
import type { Answer } from '../output.js';

/**
 * Takes the present secret for the one that the database was filled under. Unlike other commands it opens the database
 * before the secrets are compared: until this is done nothing else can.
 */
export async function replaceSecretCommand(given: string): Promise<Answer> {
  const name = oneOf('the secret', given, CHECKED_SECRETS);
  const settings = loadSettings();
  const owner = await openAsOwner(settings, loadSecrets(settings));
  try {
    await forgetSecret(owner.url, name);
    return await withAdminContext(async ({ database, now }) => {
      await database.transaction((tx) =>
        recordAudit(tx, {
          organizationId: null,
          actor: COMMAND_LINE,
          action: 'secret.replaced',
          target: { kind: 'secret', id: name },
          details: {},
          occurredAt: now,
        }),
      );
      return { name, replaced: true };
    });
  } finally {
    await owner.release();
  }
}
