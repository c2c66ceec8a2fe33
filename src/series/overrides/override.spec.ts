import { describe, expect, it } from '@jest/globals';
import { applyOverride } from './override.js';

describe('applyOverride', () => {
  it('replaces, adds to or scales the median by its kind', () => {
    expect(applyOverride(80, { kind: 'absolute', value: 100 })).toBe(100);
    expect(applyOverride(80, { kind: 'delta', value: -15 })).toBe(65);
    expect(applyOverride(80, { kind: 'percent', value: 25 })).toBe(100);
  });

  it('never goes below zero', () => {
    expect(applyOverride(80, { kind: 'delta', value: -100 })).toBe(0);
    expect(applyOverride(80, { kind: 'percent', value: -100 })).toBe(0);
  });
});
