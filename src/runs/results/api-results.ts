import { applyDecorators } from '@nestjs/common';
import { ApiProblem } from '../../platform/http/api-problem.js';

/** Documents that the run in the path must have completed. */
export const ApiCompletedRun = (): MethodDecorator =>
  ApiProblem(409, 'The run is not completed.', ['run_not_completed']);

/** Documents that the run must have forecast the series in the path. */
export const ApiForecastSeries = (): MethodDecorator =>
  ApiProblem(404, 'The run or the series does not exist, or the run has no forecast for the series.', [
    'not_found',
    'series_not_forecast',
  ]);

/** Documents a result for one series of the run in the path. */
export const ApiOneForecast = (): MethodDecorator => applyDecorators(ApiCompletedRun(), ApiForecastSeries());
