import type { Command } from 'commander';
import { recordAudit } from '../../access/audit/audit-log.js';
import { type ApiKeyRow, listApiKeys } from '../../access/api-keys/api-keys.queries.js';
import { endApiKey } from '../../access/api-keys/end-api-key.js';
import { GRACE_NAMES, type GracePeriod } from '../../access/api-keys/issue/grace-periods.js';
import { rotateApiKey } from '../../access/api-keys/issue/rotate-api-key.js';
import { COMMAND_LINE } from '../actor.js';
import { DAY_MS, later } from '../../platform/durations.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { lockedOrganizationOf, organizationOf, workspaceOf } from '../input/lookups.js';
import { daysOption, gracePeriodOption, nameOption, ORGANIZATION, rangeOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';
import { UsageError } from '../input/usage-error.js';
import { ensureApiKey } from './ensure.js';

const show = (key: ApiKeyRow) => ({
  id: key.id,
  name: key.name,
  key: `${key.prefix}…${key.last_four}`,
  workspace_id: key.workspace_id,
  ip_allowlist: key.ip_allowlist,
  unreadable: key.unreadable,
  locked_at: key.locked_at,
  revoked_at: key.revoked_at,
  expires_at: key.expires_at,
  last_used_at: key.last_used_at,
  created_by_email: key.created_by_email,
});

async function listKeysCommand(
  { database }: AdminContext,
  options: { readonly organization: string },
): Promise<Answer> {
  const organization = await organizationOf(database, options.organization);
  return (await listApiKeys(database, organization.id)).map(show);
}

interface CreateKeyOptions {
  readonly organization: string;
  readonly workspace?: string;
  readonly name: string;
  readonly allow?: readonly string[];
  readonly expiresInDays?: number;
}

/** The expiry of a key created now; undefined if not specified. */
function endOf({ expiresInDays: days }: { readonly expiresInDays?: number }, now: Date): Date | undefined {
  return days === undefined ? undefined : later(now, days * DAY_MS);
}

function createKeyCommand(context: AdminContext, options: CreateKeyOptions): Promise<Answer> {
  const { database, now } = context;
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const workspace =
      options.workspace === undefined ? undefined : await workspaceOf(tx, organization.id, options.workspace);
    const { key, plaintext } = await ensureApiKey(tx, context, organization.id, {
      name: options.name,
      workspaceId: workspace?.id ?? null,
      ipAllowlist: options.allow ?? [],
      expiresAt: endOf(options, now) ?? null,
    });
    return {
      id: key.id,
      name: key.name,
      workspace_id: key.workspace_id,
      ip_allowlist: key.ip_allowlist, // like the expiry, the actual value: repeating the command with another changes nothing
      expires_at: key.expires_at,
      api_key: plaintext,
      created: plaintext !== null,
    };
  });
}

interface RotateKeyOptions {
  readonly organization: string;
  readonly id: string;
  readonly gracePeriod: GracePeriod;
  readonly expiresInDays?: number;
}

function rotateKeyCommand({ database, secrets, now }: AdminContext, options: RotateKeyOptions): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await lockedOrganizationOf(tx, options.organization);
    const { key, plaintext } = await rotateApiKey(tx, organization, options.id, {
      pepper: secrets.apiKeyPepper,
      grace: options.gracePeriod,
      expiresAt: endOf(options, now),
      actor: COMMAND_LINE,
      now,
    });
    return { ...show(key), api_key: plaintext };
  });
}

function revokeKeyCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly id: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const ended = await endApiKey(tx, organization.id, options.id, now);
    if (!ended) throw new UsageError(`the organization has no API key ${options.id}`);
    const { key, revoked, unlocked } = ended;
    if (!revoked) return show(key);
    await recordAudit(tx, {
      organizationId: organization.id,
      actor: COMMAND_LINE,
      action: 'api_key.revoked',
      target: { kind: 'api_key', id: key.id },
      details: { name: key.name, keys_unlocked: unlocked.length, unlocked_key_ids: unlocked },
      now,
    });
    return show(key);
  });
}

/** `key`: API keys. */
export function addKeyCommands(program: Command, command: AddCommand): void {
  const key = program.command('key').description('manage API keys');
  command(key, 'list', 'list the API keys of an organization', listKeysCommand).requiredOption(...ORGANIZATION);
  command<CreateKeyOptions>(key, 'create', 'create an API key; it is shown only once', createKeyCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--name <name>', 'name of the key', nameOption('--name'))
    .option('--workspace <id or name>', 'limit the key to one workspace')
    .option('--allow <address or CIDR>', 'address or range that may use the key; can be repeated', rangeOption)
    .option('--expires-in-days <days>', 'expire the key after this many days', daysOption);
  command<RotateKeyOptions>(key, 'rotate', 'issue a successor to an API key; it is shown only once', rotateKeyCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--id <id>', 'id of the key')
    .requiredOption(
      '--grace-period <period>',
      `how long the old key keeps working: ${GRACE_NAMES.join(', ')}`,
      gracePeriodOption,
    )
    .option(
      '--expires-in-days <days>',
      'expire the successor after this many days (default: the same lifetime as the old key)',
      daysOption,
    );
  command(key, 'revoke', 'revoke an API key permanently', revokeKeyCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--id <id>', 'id of the key');
}
