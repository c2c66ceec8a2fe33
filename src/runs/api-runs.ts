import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiResponse } from '@nestjs/swagger';
import { ApiProblem } from '../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../platform/http/openapi/example-ids.js';
import { acceptedHeaders } from '../platform/http/replies/polling.js';
import { RunDto } from './dto/run.dto.js';
import { DEFAULT_RUN_CONFIG } from './run-config.js';

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
      headers: acceptedHeaders('run'),
    }),
    ApiProblem(400, 'The named parameters are invalid, or there is nothing to forecast. Nothing is charged.', [
      'invalid_request',
      'no_usable_series',
    ]),
    ApiProblem(402, 'The monthly quota is used up and overage is not available.', ['quota_exceeded'], {
      detail: 'All 200 monthly runs of the plan growth are used. They are renewed on 1 December 2026 (UTC).',
    }),
  );
