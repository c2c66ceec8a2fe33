/** Most significant digits that a number of a JSON text is written with, its texts left aside. */
export function mostDigits(json: string): number {
  const numbers = json.replaceAll(/"[^"]*"/g, '').match(/[\d.]+(?:e[+-]?\d+)?/g) ?? [];
  return Math.max(0, ...numbers.map((number) => number.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '').length));
}
