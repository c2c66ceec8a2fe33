export {
  readDescribedForecasts,
  readForecasts,
  storeForecasts,
  type ForecastRecord,
  type StoredForecast,
} from './forecasts.queries.js';
export { type ComparedRuns, countCompared, listCompared, type NamedSeries } from './compared-series.queries.js';
export {
  type ForecastDetail,
  type ListedDetail,
  readForecastDetails,
  readForecastDetailsAfter,
} from './forecast-detail.queries.js';
export { readSeriesAccuracies, type SeriesAccuracy } from './series-accuracy.queries.js';
export { drawForecast } from './chart/forecast-chart.js';
export { forecastPage, type ForecastPage, type ForecastSpan } from './forecast-page.js';
export { FORECAST_DIGITS, toSignificant } from './significant.js';
export { type FinalValue, medianAt, rowsAsCsv, rowsAsJson } from './rows/forecast-rows.js';
