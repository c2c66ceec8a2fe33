import { createRandom } from '../../numeric/random.js';
import { daysInMonth, firstWeekday, monthNumber } from '../calendar.js';
import type { DailyMonth } from '../sensing/share-curve.js';

export const JUNE = monthNumber(2024, 6);

/** The months before June 2024, demand on each day (0 the first, weekday 0 Sunday) as given. */
export function dailyMonths(
  count: number,
  demand: (day: number, weekday: number, month: number) => number,
): DailyMonth[] {
  return Array.from({ length: count }, (_, k) => {
    const month = JUNE - count + k;
    const days = Array.from({ length: daysInMonth(month) }, (__, d) => demand(d, (firstWeekday(month) + d) % 7, month));
    return { month, days };
  });
}

/** Independent orders of `size`, about `perDay` a day. */
export function dailyOrders(count: number, size: number, perDay: number, seed: number): DailyMonth[] {
  const random = createRandom(seed);
  const chances = 10;
  return dailyMonths(count, () => {
    let orders = 0;
    for (let i = 0; i < chances; i++) if (random() < perDay / chances) orders++;
    return size * orders;
  });
}
