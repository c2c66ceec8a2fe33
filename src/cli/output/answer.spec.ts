import { describe, expect, it } from '@jest/globals';
import { type Answer, writeAnswer } from './answer.js';

describe('the output of a command', () => {
  const written = (answer: Answer, json = false): string => {
    let out = '';
    const write = (text: string): unknown => (out += text);
    writeAnswer({ env: {}, stdout: { write }, stderr: { write } }, answer, json);
    return out;
  };

  it('has a column for every property, including those missing from the first record', () => {
    const chains = [
      { chain: 'platform', intact: true, events: 12 },
      { chain: 'Acme', intact: false, events: 3, broken_at: 4, reason: 'the event was changed' },
    ];
    expect(written(chains)).toBe(
      [
        'chain     intact  events  broken_at  reason',
        'platform  true    12      -          -',
        'Acme      false   3       4          the event was changed',
        '',
      ].join('\n'),
    );
  });

  it('has one line per property of a single record, and says so when there are no records', () => {
    expect(written({ id: 'a', created_at: new Date(0), gone: null })).toBe(
      'id          a\ncreated_at  1970-01-01T00:00:00.000Z\ngone        -\n',
    );
    expect(written([])).toBe('none\n');
  });

  it('is JSON on request', () => {
    expect(JSON.parse(written([{ id: 'a', at: new Date(0) }], true))).toEqual([
      { id: 'a', at: '1970-01-01T00:00:00.000Z' },
    ]);
  });
});
