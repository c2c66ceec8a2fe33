import type { Command } from 'commander';
import type { AdminContext } from './context.js';
import type { Host } from './host.js';
import { type Answer, writeAnswer } from './output/answer.js';

/** Adds a command that returns records; every one of them supports --json. */
export type AddCommand = ReturnType<typeof commandsOf>;

/** @param host where the commands read settings and write output */
export function commandsOf(host: Host) {
  return <Options>(
    parent: Command,
    usage: string,
    description: string,
    work: (context: AdminContext, options: Options) => Promise<Answer>,
  ) =>
    parent
      .command(usage)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (...parameters: unknown[]) => {
        const self = parameters.at(-1) as Command;
        const named = Object.fromEntries(
          self.registeredArguments.map((argument, index) => [argument.name(), parameters[index]]),
        );
        const { json, ...options } = { ...self.opts<{ json?: boolean }>(), ...named };
        const { withAdminContext } = await import('./context.js'); // loads the ORM, which is not needed to reject invalid input
        const answer = await withAdminContext((context) => work(context, options as Options), host);
        writeAnswer(host, answer, json === true);
      });
}
