/** The largest number of significant digits of any number in a JSON text, ignoring its strings. */
export function mostDigits(json: string): number {
  const numbers = json.replaceAll(/"[^"]*"/g, '').match(/[\d.]+(?:e[+-]?\d+)?/g) ?? [];
  return Math.max(0, ...numbers.map((number) => number.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '').length));
}
