import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { latestRunProperty, runOf } from './latest-run';
import { monthProperties, of } from './options';
import { ask, filledIn } from './request';

/** Rows a page, as many as the service gives. */
const MAX_PAGE = 10_000;

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
  ...monthProperties('forecastRows'),
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: of('forecastRows'),
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 500,
    description: 'Maximum number of rows',
    displayOptions: { show: { operation: ['forecastRows'], returnAll: [false] } },
  },
];

/** The forecast rows of the run that an item names, or of the latest: one for each series and month, up to the limit of the item, with the id of the run. */
export async function forecastRows(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const parameter = (name: string): string => String(context.getNodeParameter(name, item, '') ?? '');
  const limit = context.getNodeParameter('returnAll', item) ? Infinity : Number(parameter('limit'));
  const run = await runOf(context, item);
  const filter = { series_id: parameter('seriesId'), from: parameter('from'), to: parameter('to') };
  const qs = { ...filledIn(filter), apply_overrides: true, limit: Math.min(limit, MAX_PAGE) };
  const rows: IDataObject[] = [];
  let page = await ask(context, { url: `/runs/${encodeURIComponent(run)}/forecasts`, qs }, item);
  rows.push(...(page.body as IDataObject[]));
  while (page.next !== undefined && rows.length < limit) {
    page = await ask(context, { url: page.next }, item);
    rows.push(...(page.body as IDataObject[]));
  }
  return rows.slice(0, limit).map((row) => ({ run_id: run, ...row }));
}
