/** Formats a number with its noun for prose: `1 key`, `2 keys`, `1,200 keys`. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
