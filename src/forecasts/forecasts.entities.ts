import { defineEntity, p } from '@mikro-orm/core';
import { organizationReference, workspaceReference } from '../access/organizations/organizations.entities.js';
import { text } from '../platform/database/columns.js';
import { seriesReference } from '../series/series.entities.js';

/** One row per run and series; the horizon's values are packed columns (packing.ts). */
export const ForecastEntity = defineEntity({
  name: 'Forecast',
  tableName: 'forecasts',
  properties: {
    runId: p.uuid().primary(),
    series: seriesReference().primary(),
    organization: organizationReference(),
    workspace: workspaceReference(),
    /** The series' identifier when the run was computed; rows are listed by it. */
    uniqueId: text().collation('C'),
    model: text(),
    pattern: text(),
    /** Month number (12 * year + month - 1) of the first step. */
    firstMonth: p.integer(),
    horizon: p.smallint(),
    /** Length `horizon`. */
    mean: p.blob(),
    /** `horizon` rows of nine levels. */
    quantiles: p.blob(),
    /** `horizon` rows of q10, q50 and q90, derived from the quantiles by the database. */
    bands: p.blob().generated('(forecast_bands(quantiles)) stored'),
    /** The same as numbers, which SQL can filter and sum. */
    bandValues: p.array<number>().columnType('float8[]').generated('(forecast_band_values(quantiles)) stored'),
    backtest: p.blob(),
    /** Backtest accuracy, by the formulas of the release that stored it. All null for runs from before these columns. */
    wape: p.double().nullable(),
    mase: p.double().nullable(),
    rmsse: p.double().nullable(),
    bias: p.double().nullable(),
    meanWeightedQuantileLoss: p.double().nullable(),
    coverage: p.double().nullable(),
    skill: p.double().nullable(),
    backtestMonths: p.integer().nullable(),
    /** The engine's input: month number of the first value, then the values, NaN where missing. */
    historyStart: p.integer(),
    history: p.blob(),
    /** Of the demand of single days, packed; null if demand is not known by day, and for runs from before this column. */
    orderSizes: p.blob().nullable(),
  },
  indexes: [
    {
      name: 'forecasts_pages',
      expression:
        'CREATE INDEX forecasts_pages ON forecasts (organization_id, run_id, unique_id) INCLUDE (series_id, workspace_id)',
    },
    { name: 'forecasts_series', properties: ['series', 'runId'] },
    { name: 'forecasts_feed', properties: ['organization', 'runId', 'series'] },
    { name: 'forecasts_workspace', properties: ['workspace'] },
  ],
});

export const FORECAST_ENTITIES = [ForecastEntity];
