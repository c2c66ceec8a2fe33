import type { ArgumentsHost } from '@nestjs/common';
import { describe, expect, it, jest } from '@jest/globals';
import { createLogger, type Logger } from '../logging/logger.js';
import type { AllowedMethods } from './server/allowed-methods.js';
import { ProblemFilter, toProblem } from './problem.filter.js';

const fault = (code: string, constraint?: string): Error =>
  Object.assign(new Error('of the database'), { code, constraint });

/** A request in progress. */
function hostOf(id: string): ArgumentsHost {
  const request = { id, method: 'PUT', url: '/x', routeOptions: { url: '/x' } };
  const reply = { raw: {}, status: () => reply, headers: () => reply, type: () => reply, send: jest.fn() };
  const http = { getRequest: () => request, getResponse: () => reply };
  return { switchToHttp: () => http } as unknown as ArgumentsHost;
}

describe('a database error', () => {
  it.each([
    ['a deadlock', { sqlState: '40P01' }, 503, 'not_ready'],
    ['a row whose workspace is gone', { sqlState: '23503', of: 'runs_workspace_id_foreign' }, 404, 'not_found'],
    ['a row whose series is gone', { sqlState: '23503', of: 'overrides_series_id_foreign' }, 404, 'not_found'],
    ['any other foreign key violation', { sqlState: '23503', of: 'run_chunks_run_id_foreign' }, 500, 'internal_error'],
    ['a full disk', { sqlState: '53100' }, 503, 'not_ready'],
    ['an outage', { sqlState: 'ECONNREFUSED' }, 503, 'not_ready'],
    ['anything else', { sqlState: '22P02' }, 500, 'internal_error'],
  ])(
    'for %s is reported without its text',
    (_what, { sqlState, of }: { sqlState: string; of?: string }, status, code) => {
      const problem = toProblem(fault(sqlState, of));
      expect(problem).toMatchObject({ status, code });
      expect(problem.detail).not.toContain('of the database');
      expect(problem.options.headers?.['retry-after']).toBe(status === 503 ? '5' : undefined);
    },
  );

  it('is logged once for all requests that an outage fails, and for each that another fault does', () => {
    const lines: { msg: string; level: number; err: object; request_id: string }[] = [];
    const logger = createLogger({ LOG_LEVEL: 'info' }, { write: (line) => lines.push(JSON.parse(line) as never) });
    const filter = new ProblemFilter(logger, {} as AllowedMethods);
    for (const [id, code] of [
      ['r-1', 'ECONNREFUSED'],
      ['r-2', 'ECONNREFUSED'],
      ['r-3', '22P02'],
      ['r-4', '22P02'],
    ] as const)
      filter.catch(fault(code), hostOf(id));
    expect(lines.map(({ msg, level, request_id }) => [msg, level, request_id])).toEqual([
      ['requests get 503: the database cannot be used', 50, 'r-1'],
      ['unexpected error', 50, 'r-3'],
      ['unexpected error', 50, 'r-4'],
    ]);
    expect(lines[0]!.err).toEqual({ type: 'Error', message: 'of the database', code: 'ECONNREFUSED' });
  });

  it('is logged with the constraint when the referenced row is gone', () => {
    const warn = jest.fn();
    const filter = new ProblemFilter({ warn } as unknown as Logger, {} as AllowedMethods);
    const orphan = fault('23503', 'overrides_series_id_foreign');
    filter.catch(orphan, hostOf('r-1'));
    expect(warn).toHaveBeenCalledWith(
      { constraint: 'overrides_series_id_foreign', request_id: 'r-1', method: 'PUT', route: '/x' },
      expect.any(String),
    );
  });
});
