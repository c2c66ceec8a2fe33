import { describe, expect, it } from '@jest/globals';
import { toProblem } from './problem.filter.js';

const fault = (code: string): Error => Object.assign(new Error('of the database'), { code });

describe('a fault of the database', () => {
  it.each([
    ['a deadlock', '40P01', 503, 'not_ready'],
    ['a row whose owner has been deleted meanwhile', '23503', 404, 'not_found'],
    ['an outage', 'ECONNREFUSED', 503, 'not_ready'],
    ['anything else', '22P02', 500, 'internal_error'],
  ])('that is %s is told without its text', (_what, sqlState, status, code) => {
    const problem = toProblem(fault(sqlState));
    expect(problem).toMatchObject({ status, code });
    expect(problem.detail).not.toContain('of the database');
    expect(problem.options.headers?.['retry-after']).toBe(status === 503 ? '5' : undefined);
  });
});
