import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../platform/http/problem.js';
import { requireHardToGuess } from './guessable-password.js';

const ADA = { email: 'ada.lovelace@engines.example', name: 'Ada Byron' };
const fault = (password: string, owner = ADA): Promise<string | undefined> =>
  requireHardToGuess('new_password', password, owner).then(
    () => undefined,
    (problem: Problem) => problem.detail,
  );

describe('a new password', () => {
  it.each([
    ['123456789012', 'it is a common password'],
    ['Password1234!', 'it is similar to a common password'],
    ['aaaaaaaaaaaa', 'it repeats itself'],
    ['letmeinletmein', 'it repeats itself'],
    ['qwertyuiop[]', 'it follows a keyboard pattern'],
    ['abcdefghijklmnop', 'it counts up or down'],
    ['ada.lovelace@engines.example', 'it is made up of your name, your email address or words from this service'],
    ['ada.lovelace!', 'it is made up of your name, your email address or words from this service'],
    ['Ada Byron 1815', 'it is'],
    ['forecasting1!', 'it is made up of your name, your email address or words from this service'],
    ['Summer2026!!', 'it is a word or two, a name or a year'],
  ])('such as %s is refused with the reason', async (password, reason) => {
    expect(await fault(password)).toContain(`new_password: must be harder to guess: ${reason}`);
  });

  it.each([
    'seven quiet rivers at dawn',
    'kT9#vLq2!xRw',
    'mein-hund-bello',
    '小売業の予測は難しいです',
    'a'.repeat(20) + 'kT9#vLq2!xRw',
  ])('such as %s is accepted', async (password) => {
    expect(await fault(password)).toBeUndefined();
  });

  it("can contain somebody else's name", async () => {
    expect(await fault('ada.lovelace.engines')).toBeDefined();
    expect(await fault('ada.lovelace.engines', { email: 'grace@navy.example', name: 'Grace' })).toBeUndefined();
  });
});
