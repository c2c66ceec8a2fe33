import { describe, expect, it } from '@jest/globals';
import { PLATFORMS } from './registry.js';

const LISTS = Object.values(PLATFORMS).flatMap(({ name: platform, fields }) =>
  fields.flatMap(({ name, pattern, fallback }) =>
    pattern && fallback?.includes(',') ? [{ platform, name, pattern, fallback }] : [],
  ),
);

describe('a list field', () => {
  it.each(LISTS)('allows blanks around commas but no empty entries: $name of $platform', (field) => {
    const spaced = field.fallback.replaceAll(',', '  ,  ');
    expect([field.fallback, spaced, `${field.fallback},`, `${field.fallback}, ,`].map(matches(field))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  // if a blank could belong to the entry or the comma, every comma would double the number of ways to match a list
  it.each(LISTS)('allows no blanks at either end: $name of $platform', (field) => {
    expect([` ${field.fallback}`, `${field.fallback} `].map(matches(field))).toEqual([false, false]);
  });
});

const matches =
  ({ pattern }: (typeof LISTS)[number]) =>
  (value: string): boolean =>
    pattern.matches.test(value);
