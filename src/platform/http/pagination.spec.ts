import { describe, expect, it } from '@jest/globals';
import { encodeCursor, type ListOrder, listPage, type Slice } from './pagination.js';

const BY_NUMBER: ListOrder<number> = { list: 'numbers', parts: ['integer'], positionOf: (number) => [String(number)] };

/** The integers from 1 to `last`. */
const upTo =
  (last: number) =>
  ({ limit, after = ['0'] }: Slice): Promise<number[]> => {
    const first = Number(after[0]) + 1;
    return Promise.resolve(Array.from({ length: Math.min(limit, last - first + 1) }, (_, at) => first + at));
  };

describe('a page of a list', () => {
  it('has as many items as requested, and the position of the next page', async () => {
    expect(await listPage({ limit: 2 }, BY_NUMBER, upTo(5))).toEqual({ items: [1, 2], next: ['numbers', '2'] });
    expect(await listPage({ limit: 4 }, BY_NUMBER, upTo(5))).toEqual({
      items: [1, 2, 3, 4],
      next: ['numbers', '4'],
    });
  });

  it('starts after its cursor, and is the last when nothing follows', async () => {
    const cursor = encodeCursor(['numbers', '3']);
    expect(await listPage({ limit: 2, cursor }, BY_NUMBER, upTo(5))).toEqual({ items: [4, 5] });
    expect(await listPage({ limit: 2, cursor }, BY_NUMBER, upTo(3))).toEqual({ items: [] });
  });

  it.each([
    ['of another list in the same order', ['others', '3']],
    ['without a list', ['3']],
    ['of another order', ['numbers', '3', '4']],
    ['of another kind', ['numbers', 'three']],
    ['below every number', ['numbers', '-1']],
    ["beyond the database's range", ['numbers', String(2 ** 31)]],
  ])('is refused for a cursor %s', async (_, position) => {
    const page = listPage({ limit: 2, cursor: encodeCursor(position) }, BY_NUMBER, upTo(5));
    await expect(page).rejects.toMatchObject({ status: 400, options: { errors: [{ param: 'cursor' }] } });
  });
});
