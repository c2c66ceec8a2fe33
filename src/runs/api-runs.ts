import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiProblem } from '../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../platform/http/example-ids.js';
import { POLL_AFTER_SECONDS } from '../platform/http/polling.js';
import { RunDto } from './dto/run.dto.js';
import { DEFAULT_RUN_CONFIG } from './run-config.js';
import { isFinished, type Run } from './run.js';

/** Documents the reply of an operation that reads a run. */
export const ApiReadRun = (): MethodDecorator =>
  ApiOkResponse({
    type: RunDto,
    headers: {
      'Retry-After': {
        description: 'Seconds to wait before polling again. Present while the run is unfinished.',
        schema: { type: 'string' },
      },
    },
  });

/** Sends a run and, while it is unfinished, when to poll again. */
export function sendRun(reply: FastifyReply, run: Run): Run {
  if (!isFinished(run.status)) void reply.header('retry-after', POLL_AFTER_SECONDS);
  return run;
}

/** Example of a newly started run. */
const QUEUED = {
  id: EXAMPLE_ID.run,
  status: 'queued',
  workspace_id: EXAMPLE_ID.workspace,
  trigger: 'api',
  progress: { series_total: 0, series_done: 0 },
  config: DEFAULT_RUN_CONFIG,
  metrics: null,
  error: null,
  billed: 'quota',
  created_at: '2026-11-21T06:00:00.000Z',
  started_at: null,
  finished_at: null,
};

/** Documents an operation that starts a run. */
export const ApiStartedRun = (body: { readonly type: Type }): MethodDecorator =>
  applyDecorators(
    ApiBody({ ...body, required: false }),
    ApiResponse({
      status: 202,
      description: 'The run is queued.',
      type: RunDto,
      example: QUEUED,
      headers: {
        Location: { description: 'URL of the run.', schema: { type: 'string' } },
        'Retry-After': { description: 'Seconds to wait before polling.', schema: { type: 'string' } },
      },
    }),
    ApiProblem(400, 'The named parameters are invalid, or there is nothing to forecast. Nothing is charged.', [
      'invalid_request',
      'no_usable_series',
    ]),
    ApiProblem(
      402,
      'The monthly quota is used up and overage is not available. The body includes `quota`, `used` and `resets_at`.',
      ['quota_exceeded'],
    ),
  );
