import { Command } from 'commander';
import type { CheckName } from '../../config/soc2.js';
import { ATTESTATION_KIND_NAMES, MAX_NOTE_LENGTH } from '../compliance/attestations/attestation-kinds.js';
import { type AddCommand, commandsOf } from './add-command.js';
import { addAuditCommands } from './commands/audit.js';
import { addBootstrapCommand } from './commands/bootstrap.js';
import type { AttestOptions } from './commands/compliance.js';
import { addFlagCommands } from './commands/flags.js';
import { addKeyCommands } from './commands/keys.js';
import { addMailCommands } from './commands/mail.js';
import { addOrganizationCommands } from './commands/organizations.js';
import { addPlanCommands } from './commands/plans.js';
import { addUserCommands } from './commands/users.js';
import type { Host } from './host.js';
import {
  attestationKindOption,
  checkOption,
  instantOption,
  nameOption,
  outcomeOption,
  sha256Option,
} from './input/options.js';
import { writeAnswer } from './output/answer.js';

/**
 * The admin command line, ready to parse the arguments of a command.
 * @param host where it reads settings and writes output
 */
export function adminProgram(host: Host): Command {
  const program = new Command('admin')
    .description('Administers an installation, whether or not the service is running.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => host.stdout.write(text), writeErr: (text) => host.stderr.write(text) });
  const command = commandsOf(host);
  addBootstrapCommand(program, command);
  addOrganizationCommands(program, command);
  addUserCommands(program, command);
  addKeyCommands(program, command);
  addPlanCommands(program, command);
  addFlagCommands(program, command);
  addSecretsCommand(program, host);
  addAuditCommands(program, command, host);
  addMailCommands(program, command);
  addRetentionCommand(program, command);
  addComplianceCommands(program, command);
  return program;
}

// The implementations of the commands below are loaded on demand: they load the ORM, or the checks and deletions of all modules.

function addSecretsCommand(program: Command, host: Host): void {
  program
    .command('secrets')
    .description('manage the secrets of the installation')
    .command('replace')
    .description('accept the current secrets in place of lost ones; data stored with the lost ones stays unreadable')
    .argument('<names...>', 'API_KEY_PEPPER, ENCRYPTION_KEY or both')
    .option('--json', 'print JSON')
    .action(async (names: string[], { json }: { json?: boolean }) => {
      const { replaceSecretsCommand } = await import('./commands/secrets.js');
      writeAnswer(host, await replaceSecretsCommand(names, host.env), json === true);
    });
}

function addRetentionCommand(program: Command, command: AddCommand): void {
  command<{ dryRun?: boolean }>(
    program,
    'retention',
    'apply the retention of all organizations now',
    async (context, options) => (await import('./commands/retention.js')).retentionCommand(context, options),
  ).option('--dry-run', 'only count what would be deleted');
}

function addComplianceCommands(program: Command, command: AddCommand): void {
  const commands = () => import('./commands/compliance.js');
  const compliance = program.command('compliance').description('manage SOC 2 readiness');
  command(compliance, 'show', 'show the phase and the evidence coverage of the controls', async (context) =>
    (await commands()).showComplianceCommand(context),
  );
  command<{ check?: CheckName }>(compliance, 'run', 'run the checks', async (context, options) =>
    (await commands()).runChecksCommand(context, options),
  ).option('--check <name>', 'run only this check', checkOption);
  command<AttestOptions>(
    compliance,
    'attest',
    'record an act that the service cannot observe',
    async (context, options) => (await commands()).attestCommand(context, options),
  )
    .argument('<kind>', ATTESTATION_KIND_NAMES.join(', '), attestationKindOption)
    .requiredOption('--by <name>', 'the person, company or job that performed it', nameOption('--by'))
    .option('--at <instant>', 'when it was performed (default: now)', instantOption)
    .option('--outcome <outcome>', 'passed or failed (default: passed)', outcomeOption)
    .option('--reference <text>', 'what it refers to, such as the version of a release', nameOption('--reference'))
    .option('--note <text>', 'additional information for auditors', nameOption('--note', MAX_NOTE_LENGTH))
    .option('--sha256 <digits>', 'SHA-256 of the resulting artifact', sha256Option);
}
