import { describe, expect, it } from '@jest/globals';
import { COMMAND_LINE, commandLineActor } from './actor.js';

describe('the user running a command', () => {
  const nameOf = (env: NodeJS.ProcessEnv) => commandLineActor(env, 'forecasting').name;

  it('is the account of the process, or the one that called sudo', () => {
    expect(nameOf({})).toBe('command line (forecasting)');
    expect(nameOf({ SUDO_USER: 'ada' })).toBe('command line (ada)');
    expect(COMMAND_LINE).toMatchObject({ kind: 'command_line', name: expect.stringMatching(/^command line \(.+\)$/) });
  });

  it('is recorded along with the claimed name, which is unverified', () => {
    expect(nameOf({ ADMIN_BY: 'Ada Lovelace' })).toBe('command line (Ada Lovelace, as forecasting)');
    expect(nameOf({ ADMIN_BY: ' Ada\n\u0007Lovelace ', SUDO_USER: 'ada' })).toBe('command line (Ada Lovelace, as ada)');
    expect(nameOf({ ADMIN_BY: ' ', SUDO_USER: '' })).toBe('command line (forecasting)');
    expect(nameOf({ ADMIN_BY: 'x'.repeat(500) })).toHaveLength(100 + 'command line (, as forecasting)'.length);
    const cut = `${'x'.repeat(99)}\u{1f600}`; // in the middle of a surrogate pair
    expect(nameOf({ ADMIN_BY: cut })).toBe(`command line (${'x'.repeat(99)}, as forecasting)`);
  });
});
