import { Problem } from '../problem.js';

/** Refuses a range that ends before it begins. @throws {Problem} 400 naming `to` */
export function requireOrder<T extends Date | string>({ from, to }: { readonly from?: T; readonly to?: T }): void {
  if (from !== undefined && to !== undefined && from > to)
    throw Problem.invalid([{ param: 'to', message: 'must not be before from' }]);
}
