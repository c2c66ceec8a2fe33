import { describe, expect, it } from '@jest/globals';
import { applyOverride } from './override.js';

describe('applyOverride', () => {
  it('replaces, adds to or scales the median depending on its kind', () => {
    expect(applyOverride(80, { kind: 'absolute', value: 100 })).toBe(100);
    expect(applyOverride(80, { kind: 'delta', value: -15 })).toBe(65);
    expect(applyOverride(80, { kind: 'percent', value: 25 })).toBe(100);
  });

  it('adds no digits beyond those entered', () => {
    expect(applyOverride(204.5, { kind: 'percent', value: 10 })).toBe(224.95);
    expect(applyOverride(0.1, { kind: 'delta', value: 0.2 })).toBe(0.3);
    expect(applyOverride(0.13, { kind: 'delta', value: 172994.7 })).toBe(172994.83);
    expect(applyOverride(204.5, { kind: 'absolute', value: 12345678.123456 })).toBe(12345678.123456);
  });

  it('never goes below zero', () => {
    expect(applyOverride(80, { kind: 'delta', value: -100 })).toBe(0);
    expect(applyOverride(80, { kind: 'percent', value: -100 })).toBe(0);
  });
});
