import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { runOf } from './latest-run';
import { of } from './options';
import { ask } from './request';

/** How many rows of a run an operation returns. */
export const limitProperties = (operation: string, rows: string): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: of(operation),
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 500,
    description: `Maximum number of ${rows}`,
    displayOptions: { show: { operation: [operation], returnAll: [false] } },
  },
];

/** A list of a run. */
interface RunList {
  /** Its name in the path of the run. */
  readonly name: string;
  readonly qs: IDataObject;
  /** Rows a page, as many as the service gives. */
  readonly maxPage: number;
}

/** The rows of the run that an item names, or of the latest, up to the limit of the item, each with the id of the run. */
export async function rowsOfRun(context: IExecuteFunctions, item: number, { name, qs, maxPage }: RunList): Promise<IDataObject[]> {
  const limit = context.getNodeParameter('returnAll', item) ? Infinity : Number(context.getNodeParameter('limit', item));
  const run = await runOf(context, item);
  const rows: IDataObject[] = [];
  let page = await ask(context, { url: `/runs/${encodeURIComponent(run)}/${name}`, qs: { ...qs, limit: Math.min(limit, maxPage) } }, item);
  rows.push(...(page.body as IDataObject[]));
  while (page.next !== undefined && rows.length < limit) {
    page = await ask(context, { url: page.next }, item);
    rows.push(...(page.body as IDataObject[]));
  }
  return rows.slice(0, limit).map((row) => ({ run_id: run, ...row }));
}
