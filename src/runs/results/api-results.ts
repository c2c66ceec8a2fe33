import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';

/** Documents the path parameter of a run that must have completed. */
export const ApiCompletedRun = (name = 'run_id'): MethodDecorator =>
  applyDecorators(
    ApiParam({ name, format: 'uuid', example: EXAMPLE_ID.run }),
    ApiProblem(409, 'The run is not completed.', ['run_not_completed']),
  );

/** Documents the path parameter of a series that the run must have forecast. */
export const ApiForecastSeries = (): MethodDecorator =>
  applyDecorators(
    ApiParam({ name: 'series_id', description: 'Id or URL-encoded unique_id of the series.', example: 'SKU-1001' }),
    ApiProblem(404, 'The run or the series does not exist, or the run has no forecast for the series.', [
      'not_found',
      'series_not_forecast',
    ]),
  );

/** Documents a result for one series of the run in the path. */
export const ApiOneForecast = (): MethodDecorator => applyDecorators(ApiCompletedRun(), ApiForecastSeries());
