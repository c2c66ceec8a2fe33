/** A number with its noun, in sentences for people: `1 key`, `2 keys`, `1,200 keys`. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
