import { SinceQuery, WorkspaceQuery } from '../../platform/http/rules/narrowing-query.js';
import { OptionalProperty } from '../../platform/http/rules/optional-property.js';
import { IsOneOf } from '../../platform/http/rules/one-of.js';
import { PageCursor, PageLimit, type PageSize } from '../../platform/http/page-query.js';
import { RUN_STATUSES } from './run.dto.js';

/** `complete`, sent by automation platforms, means `completed`. */
export const STATUS_FILTER = ['complete', ...RUN_STATUSES] as const;

const RUNS_PAGE: PageSize = { max: 500, default: 50 };

/** Filters and pagination of a list of runs. */
export class RunFilterDto {
  @OptionalProperty({
    description: 'Only runs with this status. `complete` is an alias of `completed`.',
    enum: STATUS_FILTER,
  })
  @IsOneOf(STATUS_FILTER)
  status?: (typeof STATUS_FILTER)[number];

  @SinceQuery('Only runs that finished', ' So there are none with the `status` of unfinished runs.')
  since?: Date;

  @PageLimit(RUNS_PAGE, 'Runs')
  limit = RUNS_PAGE.default;

  @PageCursor()
  cursor?: string;
}

export class ListRunsDto extends RunFilterDto {
  @WorkspaceQuery('Only runs of this workspace. Must be within the scope of the API key.')
  workspace_id?: string;
}
