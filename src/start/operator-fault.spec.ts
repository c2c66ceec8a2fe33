import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { DemoError } from './demo/client.js';
import { operatorFault } from './operator-fault.js';

function ofTheDatabase(code: string, message: string): Error {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { severity: 'ERROR', code });
}
const ofTheSystem = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe('a startup error', () => {
  it.each([
    [new DemoError('the demo could not be loaded: …'), 'the demo could not be loaded: …'],
    [ofTheSystem('ENOSPC', 'ENOSPC: no space left, write'), 'ENOSPC: no space left, write; free up disk space'],
    [
      ofTheDatabase('53100', 'could not extend file'),
      'could not extend file; free up disk space on the database server',
    ],
    [ofTheDatabase('53200', 'out of memory'), 'out of memory; the database is out of resources'],
    [
      ofTheDatabase('53300', 'too many clients'),
      'too many clients; raise max_connections of the database, or lower DATABASE_POOL',
    ],
    [
      ofTheDatabase('08P01', 'unsupported startup parameter: options'),
      'the connection pooler in front of the database reports: unsupported startup parameter: options; configure it to ignore this parameter (PgBouncer: ignore_startup_parameters = options)',
    ],
    [
      ofTheDatabase('57P01', 'shut down'),
      'lost the connection to the database (shut down); start again when it is available',
    ],
  ])('is a plain sentence when the operator can fix it: %#', (fault, sentence) => {
    expect(operatorFault(fault)).toBe(sentence);
  });

  it.each([
    [new TypeError('x is not a function')],
    [ofTheDatabase('42703', 'column "x" does not exist')],
    [ofTheSystem('ENOENT', 'no such file')],
    ['thrown text'],
  ])('keeps its stack trace when it is a defect: %#', (fault) => {
    expect(operatorFault(fault)).toBeUndefined();
  });
});
