import { describe, expect, it } from '@jest/globals';
import { odoo } from './odoo.js';

describe('a refusal of Odoo', () => {
  it('is read in no more time than it is long, whoever answers in its place', () => {
    const begun = performance.now();
    const body = 'the model '.repeat(60_000);
    expect(odoo.refusal?.({ status: 404, headers: {}, body })?.message).toContain('There is no JSON-2 API');
    expect(performance.now() - begun).toBeLessThan(10_000); // a millisecond; a minute where each place is tried to the end
  });
});
