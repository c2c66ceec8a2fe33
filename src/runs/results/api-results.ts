import { applyDecorators } from '@nestjs/common';
import { ApiInvalidQuery, ApiProblem } from '../../platform/http/api-problem.js';

/** Documents that the run must have completed. */
export const ApiCompletedRun = (): MethodDecorator =>
  ApiProblem(409, 'The run is not completed.', ['run_not_completed'], {
    detail: 'The run is running, not completed, so it has no results.',
  });

/** Documents the errors of a result of a completed run that the query may narrow to a series. */
export const ApiRunResult = (): MethodDecorator =>
  applyDecorators(
    ApiCompletedRun(),
    ApiInvalidQuery(),
    ApiProblem(404, 'The run or the series does not exist.', ['not_found']),
  );

/** Documents the errors of a result about one series that a completed run has forecast. */
export const ApiForecastSeries = (): MethodDecorator =>
  applyDecorators(
    ApiCompletedRun(),
    ApiInvalidQuery(),
    ApiProblem(404, 'The run or the series does not exist, or the run has no forecast for the series.', [
      'not_found',
      'series_not_forecast',
    ]),
  );
