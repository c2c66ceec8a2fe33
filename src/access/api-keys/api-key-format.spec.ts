import { describe, expect, it } from '@jest/globals';
import { displayParts, generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key-format.js';

describe('API key format', () => {
  it('generates well-formed keys that differ', () => {
    const keys = Array.from({ length: 500 }, generateApiKey);
    expect(keys.every(isWellFormedApiKey)).toBe(true);
    expect(keys.every((key) => /^fk_[0-9A-Za-z]{46}$/.test(key))).toBe(true);
    expect(new Set(keys).size).toBe(500);
  });

  it('keeps the checksum of a known key, so that issued keys stay valid', () => {
    expect(isWellFormedApiKey(`fk_${'0'.repeat(40)}4LHPm6`)).toBe(true);
    expect(isWellFormedApiKey(`fk_${'0'.repeat(40)}4LHPm7`)).toBe(false);
  });

  it('refuses a key with any one character changed, removed or added', () => {
    const key = generateApiKey();
    for (let position = 0; position < key.length; position += 1) {
      const other = key[position] === 'a' ? 'b' : 'a';
      expect(isWellFormedApiKey(key.slice(0, position) + other + key.slice(position + 1))).toBe(false);
    }
    for (const text of ['', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });

  it('hashes with the pepper', () => {
    const key = generateApiKey();
    expect(hashApiKey(key, 'one')).toEqual(hashApiKey(key, 'one'));
    expect(hashApiKey(key, 'one')).not.toEqual(hashApiKey(key, 'two'));
    expect(displayParts(key)).toEqual({ prefix: key.slice(0, 7), lastFour: key.slice(-4) });
  });
});
