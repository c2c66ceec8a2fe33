import { describe, expect, it } from '@jest/globals';
import { MAX_HORIZON } from '../settings.js';
import { gaussianTable, PATHS } from './gaussian-table.js';

describe('gaussianTable', () => {
  it('contains antithetic paths of unit variance', () => {
    const table = gaussianTable(3);
    let squares = 0;
    for (const z of table) squares += z * z;
    expect(squares / table.length).toBeGreaterThan(0.97);
    expect(squares / table.length).toBeLessThan(1.03);
    for (let k = 0; k < MAX_HORIZON; k++) expect(table[(PATHS / 2) * MAX_HORIZON + k]).toBe(-table[k]!);
  });
});
