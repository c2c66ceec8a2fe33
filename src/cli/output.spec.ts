import { describe, expect, it } from '@jest/globals';
import { type Answer, writeAnswer } from './output.js';

describe('what a command answers', () => {
  const written = (answer: Answer, json = false): string => {
    let out = '';
    const write = (text: string): unknown => (out += text);
    writeAnswer({ env: {}, stdout: { write }, stderr: { write } }, answer, json);
    return out;
  };

  it('has a heading for every member, also of records that have more than the first', () => {
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

  it('is one line a member of a single record, and says so where there is none', () => {
    expect(written({ id: 'a', created_at: new Date(0), gone: null })).toBe(
      'id          a\ncreated_at  1970-01-01T00:00:00.000Z\ngone        -\n',
    );
    expect(written([])).toBe('none\n');
  });

  it('is JSON for programs', () => {
    expect(JSON.parse(written([{ id: 'a', at: new Date(0) }], true))).toEqual([
      { id: 'a', at: '1970-01-01T00:00:00.000Z' },
    ]);
  });
});
