import { describe, expect, it } from '@jest/globals';
import { PLANS, readPlans } from './plans.js';

describe('the plans of a file', () => {
  const withMembers = (members: unknown): string => JSON.stringify({ ...PLANS, free: { ...PLANS.free, members } });

  it('may allow as much as the database can count', () => {
    expect(readPlans(withMembers(2_147_483_647)).free.members).toBe(2_147_483_647);
  });

  it.each([2_147_483_648, 1e300, -1, 1.5, '5', null])('are rejected with %j members, naming the field', (members) => {
    expect(() => readPlans(withMembers(members))).toThrow(
      /^config\/plans\.json is invalid:\n.*\n? *→ at free\.members$/,
    );
  });

  it('are rejected with a limit that there is not, such as a mistyped one', () => {
    const mistyped = JSON.stringify({ ...PLANS, free: { ...PLANS.free, api_key: 1 } });
    expect(() => readPlans(mistyped)).toThrow('"api_key"');
  });
});
