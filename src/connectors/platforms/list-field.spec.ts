import { describe, expect, it } from '@jest/globals';
import { PLATFORMS } from './registry.js';

const LISTS = Object.values(PLATFORMS).flatMap(({ name: platform, fields }) =>
  fields.flatMap(({ name, pattern, fallback }) =>
    pattern && fallback?.includes(',') ? [{ platform, name, pattern, fallback }] : [],
  ),
);

describe('a field that lists entries', () => {
  it.each(LISTS)('may have blanks around its commas, not in place of an entry: $name of $platform', (field) => {
    const spaced = field.fallback.replaceAll(',', '  ,  ');
    expect([field.fallback, spaced, `${field.fallback},`, `${field.fallback}, ,`].map(matches(field))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(LISTS)('is judged at once, however long it is: $name of $platform', (field) => {
    const [entry] = field.fallback.split(',');
    const begun = performance.now();
    expect(matches(field)(`${entry}${`  ,  ${entry}`.repeat(9)}!`)).toBe(false);
    expect(matches(field)(`${entry}${`  ,  ${entry}`.repeat(1_000)}`)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

const matches =
  ({ pattern }: (typeof LISTS)[number]) =>
  (value: string): boolean =>
    pattern.matches.test(value);
