import { expect, it } from '@jest/globals';
import { findChanges } from './find-changes.js';

const START = 24_000;

it('reports a level shift for a year and returns it for longer, since it can explain a trend', () => {
  const found = (months: number) => {
    const values = Float64Array.from({ length: 60 + months }, (_, t) => (t < 60 ? 500 : 300) + 10 * (t % 3));
    const { changes, shifts } = findChanges({ id: 'a', startMonth: START, values }, START + 59 + months, false)!;
    return { reported: changes.map(({ kind }) => kind), shifts };
  };
  const shifts = [{ kind: 'level_shift_down', month: START + 60 }];
  expect(found(12)).toEqual({ reported: ['level_shift_down'], shifts });
  expect(found(18)).toEqual({ reported: [], shifts });
});
