import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { latestRunProperty } from './latest-run';
import { categoryProperty, monthProperties, of } from './options';
import { filledIn } from './request';
import { limitProperties, rowsOfRun } from './run-rows';

/** What is asked for of the rows, besides the workspace. */
export const forecastRowsProperties: INodeProperties[] = [
  { ...latestRunProperty, displayOptions: of('forecastRows') },
  {
    displayName: 'Series',
    name: 'seriesId',
    type: 'string',
    default: '',
    description: 'The ID or the unique_id of the series. By default, all series of the run.',
    displayOptions: of('forecastRows'),
  },
  categoryProperty('forecastRows'),
  ...monthProperties('forecastRows'),
  ...limitProperties('forecastRows', 'rows'),
];

/** The forecast rows of the run that an item names, or of the latest: one for each series and month, up to the limit of the item. */
export function forecastRows(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const parameter = (name: string): string => String(context.getNodeParameter(name, item, '') ?? '');
  const filter = {
    series_id: parameter('seriesId'),
    category: parameter('category'),
    from: parameter('from'),
    to: parameter('to'),
  };
  return rowsOfRun(context, item, { name: 'forecasts', qs: { ...filledIn(filter), apply_overrides: true }, maxPage: 10_000 });
}
