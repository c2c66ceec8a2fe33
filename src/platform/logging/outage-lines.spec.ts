import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { describeError, OutageLines } from './outage-lines.js';

const full = Object.assign(new Error('could not extend file "base/16384/2703"'), { code: '53100' });
const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

describe('log lines about a database that is unavailable or out of space', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are written again after half a minute for each kind of work', () => {
    const lines = new OutageLines();
    const repeated = (message: string): boolean => lines.isRepeated([{ err: away }, message]);
    expect([repeated('syncs wait'), repeated('imports wait'), repeated('syncs wait')]).toEqual([false, false, true]);
    expect(lines.isRepeated([{ err: full }, 'imports wait'])).toBe(true);
    jest.advanceTimersByTime(30_001);
    expect(repeated('syncs wait')).toBe(false);
  });

  it('have no stack trace', () => {
    expect(describeError(away)).toEqual({ type: 'Error', message: away.message, code: 'ECONNREFUSED' });
    expect(describeError(full)).toEqual({ type: 'Error', message: full.message, code: '53100' });
  });
});

describe('other log lines', () => {
  it.each([[[{ err: new Error('a defect') }, 'a fault']], [['plain']], [[{ run_id: '1' }, 'run started']], [[null]]])(
    'are all written: %j',
    (line) => {
      const lines = new OutageLines();
      expect([lines.isRepeated(line), lines.isRepeated(line)]).toEqual([false, false]);
    },
  );

  it('keep the stack trace', () => {
    expect(describeError(new Error('a defect'))).toHaveProperty('stack');
  });
});
