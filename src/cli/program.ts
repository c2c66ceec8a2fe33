import { Command } from 'commander';
import type { CheckName } from '../../config/soc2.js';
import { bootstrap, type BootstrapOptions } from './commands/bootstrap.js';
import type { AttestOptions } from './commands/compliance.js';
import { createKeyCommand, type CreateKeyOptions, listKeysCommand, revokeKeyCommand } from './commands/keys.js';
import {
  addWorkspaceCommand,
  allowlistCommand,
  createOrganizationCommand,
  listOrganizationsCommand,
  listPlansCommand,
  setBillingCommand,
  setPlanCommand,
  suspendCommand,
} from './commands/organizations.js';
import { listMailCommand, testMailCommand } from './commands/mail.js';
import { listFlagsCommand, setFlagCommand, verifyAuditCommand } from './commands/platform.js';
import { retentionCommand } from './commands/retention.js';
import {
  createUserCommand,
  listUsersCommand,
  resetPasswordCommand,
  resetSecondFactorCommand,
  setMemberCommand,
  setOperatorCommand,
} from './commands/users.js';
import { ATTESTATION_KIND_NAMES } from '../compliance/attestations/attestation.js';
import type { AdminContext } from './context.js';
import { FAILED, type Host } from './host.js';
import {
  attestationKindOption,
  checkOption,
  daysOption,
  emailOption,
  instantOption,
  nameOption,
  outcomeOption,
  planOption,
  rangeOption,
  roleOption,
  sha256Option,
  stripeCustomerOption,
  switchOption,
} from './input.js';
import { type Answer, writeAnswer } from './output.js';

/** Loaded when asked for: they come with all entities of the service. */
const complianceCommands = () => import('./commands/compliance.js');

/**
 * The admin command line, ready to parse the arguments of one command.
 * @param host what it reads its settings from, and what it writes to
 */
export function adminProgram(host: Host): Command {
  const program = new Command('admin')
    .description('Administers an installation, whether or not the service runs.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => host.stdout.write(text), writeErr: (text) => host.stderr.write(text) });

  /** A subcommand that answers with records; every one of them takes --json. */
  function command<Options>(
    parent: Command,
    usage: string,
    description: string,
    work: (context: AdminContext, options: Options) => Promise<Answer>,
  ): Command {
    return parent
      .command(usage)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (...parameters: unknown[]) => {
        const self = parameters.at(-1) as Command;
        const named = Object.fromEntries(
          self.registeredArguments.map((argument, index) => [argument.name(), parameters[index]]),
        );
        const { json, ...options } = { ...self.opts<{ json?: boolean }>(), ...named };
        const { withAdminContext } = await import('./context.js'); // loads the ORM: not needed to refuse bad input
        const answer = await withAdminContext((context) => work(context, options as Options), host.env);
        writeAnswer(host, answer, json === true);
      });
  }

  command<BootstrapOptions>(program, 'bootstrap', 'make the first operator, organization, workspace and key', bootstrap)
    .requiredOption('--organization <name>', 'name of the organization', nameOption('--organization'))
    .requiredOption('--workspace <name>', 'name of its workspace', nameOption('--workspace'))
    .requiredOption('--plan <plan>', 'plan of the organization', planOption)
    .requiredOption('--email <email>', 'email of the operator, who owns the organization', emailOption)
    .setOptionValue('json', true); // with or without --json: what is shown once is for scripts to keep

  const org = program.command('org').description('organizations');
  command(org, 'list', 'all organizations', listOrganizationsCommand);
  command(org, 'create', 'make an organization', createOrganizationCommand)
    .requiredOption('--name <name>', 'its name', nameOption('--name'))
    .requiredOption('--plan <plan>', 'its plan', planOption);
  command(org, 'add-workspace', 'make a workspace', addWorkspaceCommand)
    .requiredOption('--organization <id or name>', 'the organization')
    .requiredOption('--name <name>', 'name of the workspace', nameOption('--name'));
  command<{ organization: string; reason?: string }>(
    org,
    'suspend',
    'refuse all calls of an organization',
    (context, { organization, reason }) =>
      suspendCommand(context, { organization, suspended: true, reason: reason ?? null }),
  )
    .requiredOption('--organization <id or name>', 'the organization')
    .option('--reason <text>', 'why', nameOption('--reason', 500));
  command<{ organization: string }>(org, 'resume', 'lift the suspension', (context, { organization }) =>
    suspendCommand(context, { organization, suspended: false, reason: null }),
  ).requiredOption('--organization <id or name>', 'the organization');
  command<{ organization: string; allow?: readonly string[] }>(
    org,
    'allowlist',
    'set the addresses that may call; none given: any',
    (context, { organization, allow }) => allowlistCommand(context, { organization, allow: allow ?? [] }),
  )
    .requiredOption('--organization <id or name>', 'the organization')
    .option('--allow <address or CIDR>', 'may be given several times', rangeOption);

  command(org, 'billing', 'name the Stripe customer that overage is billed to', setBillingCommand)
    .requiredOption('--organization <id or name>', 'the organization')
    .requiredOption('--stripe-customer <id>', 'for example cus_123', stripeCustomerOption);

  const user = program.command('user').description('users');
  command(user, 'list', 'all users', listUsersCommand);
  command(user, 'create', 'make a user with a generated password', createUserCommand)
    .requiredOption('--email <email>', 'email to sign in with', emailOption)
    .option('--name <name>', 'name shown to others', nameOption('--name'))
    .option('--operator', 'may operate the platform');
  command<{ email: string; state: boolean }>(
    user,
    'operator',
    'grant or withdraw operating the platform',
    (context, { email, state }) => setOperatorCommand(context, { email, operator: state }),
  )
    .argument('<state>', 'on or off', switchOption)
    .requiredOption('--email <email>', 'email of the user', emailOption);
  command(user, 'reset-password', 'generate a new password and end all sessions', resetPasswordCommand).requiredOption(
    '--email <email>',
    'email of the user',
    emailOption,
  );
  command(
    user,
    'reset-second-factor',
    'remove a lost second factor and end all sessions',
    resetSecondFactorCommand,
  ).requiredOption('--email <email>', 'email of the user', emailOption);
  command(user, 'member', 'make a user member of an organization, or change the role', setMemberCommand)
    .requiredOption('--email <email>', 'email of the user', emailOption)
    .requiredOption('--organization <id or name>', 'the organization')
    .requiredOption('--role <role>', 'viewer, member, admin or owner', roleOption);

  const key = program.command('key').description('API keys');
  command(key, 'list', 'keys of an organization', listKeysCommand).requiredOption(
    '--organization <id or name>',
    'the organization',
  );
  command<CreateKeyOptions>(key, 'create', 'make a key; it is shown once', createKeyCommand)
    .requiredOption('--organization <id or name>', 'the organization')
    .requiredOption('--name <name>', 'name to know it by', nameOption('--name'))
    .option('--workspace <id or name>', 'bind it to one workspace')
    .option('--allow <address or CIDR>', 'addresses that may use it; may be given several times', rangeOption)
    .option('--expires-in-days <days>', 'end its life after so many days', daysOption);
  command(key, 'revoke', 'end a key for good', revokeKeyCommand)
    .requiredOption('--organization <id or name>', 'the organization')
    .requiredOption('--id <id>', 'id of the key');

  const plan = program.command('plan').description('plans');
  command(plan, 'list', 'the plans and their limits', listPlansCommand);
  command(plan, 'set', 'change the plan of an organization; locks or unlocks keys', setPlanCommand)
    .requiredOption('--organization <id or name>', 'the organization')
    .requiredOption('--plan <plan>', 'the plan', planOption);

  const flag = program.command('flag').description('flags of the platform');
  command(flag, 'list', 'all flags', listFlagsCommand);
  command<{ name: string; state: boolean; reason?: string }>(
    flag,
    'set',
    'switch a flag',
    (context, { name, state, reason }) => setFlagCommand(context, { name, enabled: state, reason: reason ?? null }),
  )
    .argument('<name>', 'for example disable_public_api')
    .argument('<state>', 'on or off', switchOption)
    .option('--reason <text>', 'why; callers are told', nameOption('--reason', 500));

  program
    .command('secrets')
    .description('secrets of the installation')
    .command('replace')
    .description('take the present secrets for those that were lost: what was stored under them stays unreadable')
    .argument('<names...>', 'API_KEY_PEPPER, ENCRYPTION_KEY or both')
    .option('--json', 'print JSON')
    .action(async (names: string[], { json }: { json?: boolean }) => {
      const { replaceSecretsCommand } = await import('./commands/secrets.js');
      writeAnswer(host, await replaceSecretsCommand(names, host.env), json === true);
    });

  command(
    program.command('audit').description('the audit log'),
    'verify',
    `recompute every chain of the audit log; exit code ${FAILED} where one is broken`,
    async (context) => {
      const chains = await verifyAuditCommand(context);
      if (chains.some(({ intact }) => !intact)) host.exitCode = FAILED;
      return chains;
    },
  );

  const mail = program.command('mail').description('e-mails');
  command(mail, 'list', 'e-mails that wait, were refused or have expired', listMailCommand);
  command<{ to: string }>(mail, 'test', 'send an e-mail at once', testMailCommand).requiredOption(
    '--to <email>',
    'address to send it to',
    emailOption,
  );

  command(program, 'retention', 'delete now what organizations keep no longer', retentionCommand).option(
    '--dry-run',
    'only count what would be deleted',
  );

  const compliance = program.command('compliance').description('SOC 2 readiness');
  command(compliance, 'show', 'the phase and how far evidence covers the controls', async (context) =>
    (await complianceCommands()).showComplianceCommand(context),
  );
  command<{ check?: CheckName }>(compliance, 'run', 'run the checks now', async (context, options) =>
    (await complianceCommands()).runChecksCommand(context, options),
  ).option('--check <name>', 'only this one', checkOption);
  command<AttestOptions>(compliance, 'attest', 'put on record what the service cannot see', async (context, options) =>
    (await complianceCommands()).attestCommand(context, options),
  )
    .argument('<kind>', ATTESTATION_KIND_NAMES.join(', '), attestationKindOption)
    .requiredOption('--by <name>', 'the person, firm or job that did it', nameOption('--by'))
    .option('--at <instant>', 'when it was done; default: now', instantOption)
    .option('--outcome <outcome>', 'passed or failed; default: passed', outcomeOption)
    .option('--reference <text>', 'what it is about, such as the version of a release', nameOption('--reference'))
    .option('--note <text>', 'what an auditor should know', nameOption('--note'))
    .option('--sha256 <digits>', 'SHA-256 of what came of it', sha256Option);

  return program;
}
