import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { node } from './prepare.mjs';

/**
 * Runs a program with the project's Node: in this very process when it already is that Node, so that signals and exit
 * codes need no relaying; else in a child that gets every signal this process gets.
 */
export async function runWithNode(program, args) {
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    process.argv = [process.argv[0], program, ...args];
    await import(pathToFileURL(program).href);
    return;
  }
  const child = spawn(node, [program, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
