import type { Command } from 'commander';
import { type ApiKeyRow, listApiKeys } from '../../access/api-keys/api-keys.queries.js';
import { endApiKey } from '../../access/api-keys/end-api-key.js';
import { DAY_MS } from '../../platform/durations.js';
import { auditCommand } from '../audit.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { daysOption, nameOption, ORGANIZATION, organizationOf, rangeOption, workspaceOf } from '../input.js';
import type { Answer } from '../output.js';
import { UsageError } from '../usage-error.js';
import { ensureApiKey } from './ensure.js';

const show = (key: ApiKeyRow) => ({
  id: key.id,
  name: key.name,
  key: `${key.prefix}…${key.last_four}`,
  workspace_id: key.workspace_id,
  ip_allowlist: key.ip_allowlist,
  locked_at: key.locked_at,
  revoked_at: key.revoked_at,
  expires_at: key.expires_at,
  last_used_at: key.last_used_at,
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
      expiresAt: options.expiresInDays === undefined ? null : new Date(now.getTime() + options.expiresInDays * DAY_MS),
    });
    return {
      id: key.id,
      name: key.name,
      workspace_id: key.workspace_id,
      ip_allowlist: key.ip_allowlist, // with the next, those that hold: asked again with others, it changes nothing
      expires_at: key.expires_at,
      api_key: plaintext,
      created: plaintext !== null,
    };
  });
}

function revokeKeyCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly id: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const ended = await endApiKey(tx, organization.id, options.id, now);
    if (!ended) throw new UsageError(`the organization has no key ${options.id}`);
    const { key, revoked, unlocked } = ended;
    if (!revoked) return show(key);
    await auditCommand(tx, {
      organizationId: organization.id,
      action: 'api_key.revoked',
      target: { kind: 'api_key', id: key.id },
      details: { name: key.name, keys_unlocked: unlocked },
      occurredAt: now,
    });
    return show(key);
  });
}

/** `key`: API keys. */
export function addKeyCommands(program: Command, command: AddCommand): void {
  const key = program.command('key').description('API keys');
  command(key, 'list', 'keys of an organization', listKeysCommand).requiredOption(...ORGANIZATION);
  command<CreateKeyOptions>(key, 'create', 'make a key; it is shown once', createKeyCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--name <name>', 'name to know it by', nameOption('--name'))
    .option('--workspace <id or name>', 'bind it to one workspace')
    .option('--allow <address or CIDR>', 'addresses that may use it; may be given several times', rangeOption)
    .option('--expires-in-days <days>', 'end its life after so many days', daysOption);
  command(key, 'revoke', 'end a key for good', revokeKeyCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--id <id>', 'id of the key');
}
