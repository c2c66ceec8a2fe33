import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../../src/cli/input/usage-error.js';
import { readArguments } from './arguments.js';

const OPTIONS = { values: ['sets', 'cut'], flags: ['tuning'] };

describe('readArguments', () => {
  it('reads values, whole numbers, lists and flags', () => {
    const options = readArguments(['--sets', 'm3,hospital', '--cut', '1', '--tuning', '--json'], OPTIONS);
    expect(options.value('sets')).toBe('m3,hospital');
    expect(options.list('sets')).toEqual(['m3', 'hospital']);
    expect(options.count('cut')).toBe(1);
    expect(options.flag('tuning') && options.flag('json')).toBe(true);
  });

  it('leaves out options that were not given', () => {
    const options = readArguments([], OPTIONS);
    expect([options.value('sets'), options.list('sets'), options.count('cut')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(options.flag('tuning') || options.flag('json')).toBe(false);
  });

  it.each([
    [['--cuts', '1'], /^Unknown option '--cuts'; the options are --sets, --cut, --tuning, --json$/],
    [['--sets', 'm3', 'hospital'], /^Unexpected argument 'hospital'/],
    [['--cut'], /^Option '--cut <value>' argument missing/],
    [['--cut', '--tuning'], /^Option '--cut' argument is ambiguous/],
  ])('refuses %j', (words, message) => {
    expect(() => readArguments(words, OPTIONS)).toThrow(UsageError);
    expect(() => readArguments(words, OPTIONS)).toThrow(message);
  });

  it('refuses a number that is not an integer', () => {
    expect(() => readArguments(['--cut', '1.5'], OPTIONS).count('cut')).toThrow(/--cut .*1\.5/);
  });
});
