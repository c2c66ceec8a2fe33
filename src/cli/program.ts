import { Command } from 'commander';
import type { CheckName } from '../../config/soc2.js';
import { ATTESTATION_KIND_NAMES } from '../compliance/attestations/attestation.js';
import { type AddCommand, commandsOf } from './add-command.js';
import { addBootstrapCommand } from './commands/bootstrap.js';
import type { AttestOptions } from './commands/compliance.js';
import { addKeyCommands } from './commands/keys.js';
import { addMailCommands } from './commands/mail.js';
import { addOrganizationCommands, addPlanCommands } from './commands/organizations.js';
import { addAuditCommands, addFlagCommands } from './commands/platform.js';
import { addRetentionCommand } from './commands/retention.js';
import { addUserCommands } from './commands/users.js';
import type { Host } from './host.js';
import { attestationKindOption, checkOption, instantOption, nameOption, outcomeOption, sha256Option } from './input.js';
import { writeAnswer } from './output.js';

/**
 * The admin command line, ready to parse the arguments of one command.
 * @param host what it reads its settings from, and what it writes to
 */
export function adminProgram(host: Host): Command {
  const program = new Command('admin')
    .description('Administers an installation, whether or not the service runs.')
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

// What the commands below do is loaded when it is asked for: it comes with all entities of the service.

function addSecretsCommand(program: Command, host: Host): void {
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
}

function addComplianceCommands(program: Command, command: AddCommand): void {
  const commands = () => import('./commands/compliance.js');
  const compliance = program.command('compliance').description('SOC 2 readiness');
  command(compliance, 'show', 'the phase and how far evidence covers the controls', async (context) =>
    (await commands()).showComplianceCommand(context),
  );
  command<{ check?: CheckName }>(compliance, 'run', 'run the checks now', async (context, options) =>
    (await commands()).runChecksCommand(context, options),
  ).option('--check <name>', 'only this one', checkOption);
  command<AttestOptions>(compliance, 'attest', 'put on record what the service cannot see', async (context, options) =>
    (await commands()).attestCommand(context, options),
  )
    .argument('<kind>', ATTESTATION_KIND_NAMES.join(', '), attestationKindOption)
    .requiredOption('--by <name>', 'the person, firm or job that did it', nameOption('--by'))
    .option('--at <instant>', 'when it was done; default: now', instantOption)
    .option('--outcome <outcome>', 'passed or failed; default: passed', outcomeOption)
    .option('--reference <text>', 'what it is about, such as the version of a release', nameOption('--reference'))
    .option('--note <text>', 'what an auditor should know', nameOption('--note'))
    .option('--sha256 <digits>', 'SHA-256 of what came of it', sha256Option);
}
