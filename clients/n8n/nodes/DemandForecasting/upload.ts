import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { attempt } from './attempt';
import { of } from './options';
import { ask } from './request';

/** Field of a row in the API, by the parameter that it is entered in. */
const FIELDS = {
  uniqueId: 'unique_id',
  date: 'ds',
  quantity: 'y',
  productName: 'product_name',
  category: 'category',
  unit: 'unit',
} as const;

/** What is asked for of each row, and of the upload. */
export const uploadProperties: INodeProperties[] = [
  {
    displayName: 'Series',
    name: 'uniqueId',
    type: 'string',
    default: '',
    required: true,
    description: 'Your identifier of the product, or of whatever else you forecast',
    displayOptions: of('uploadDemand'),
  },
  {
    displayName: 'Date',
    name: 'date',
    type: 'string',
    default: '',
    required: true,
    description: 'A day (YYYY-MM-DD) or a month (YYYY-MM)',
    displayOptions: of('uploadDemand'),
  },
  {
    displayName: 'Quantity',
    name: 'quantity',
    type: 'string', // a number would be 0 where none is given
    default: '',
    required: true,
    description: 'The whole quantity of the day or month: sum order lines by product and date first',
    displayOptions: of('uploadDemand'),
  },
  { displayName: 'Product Name', name: 'productName', type: 'string', default: '', displayOptions: of('uploadDemand') },
  {
    displayName: 'Category',
    name: 'category',
    type: 'string',
    default: '',
    description: 'Series of a category learn from each other',
    displayOptions: of('uploadDemand'),
  },
  {
    displayName: 'Unit',
    name: 'unit',
    type: 'string',
    default: '',
    description: 'Unit of the quantity, such as kg',
    displayOptions: of('uploadDemand'),
  },
  {
    displayName: 'Months Without a Row',
    name: 'fill',
    type: 'options',
    noDataExpression: true, // one for the whole upload
    default: 'none',
    options: [
      { name: 'Stay Missing', value: 'none' },
      { name: 'Are Stored as Zero', value: 'zero' },
    ],
    description: 'Between the first month of each uploaded series and the last month of the upload',
    displayOptions: of('uploadDemand'),
  },
];

/**
 * Uploads the input items as rows, those of a workspace at once: an upload is stored in full or not at all.
 * @returns the report of each upload, or its error with "continue on fail", as the result of all its items
 */
export async function upload(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const workspaces = new Map<string, number[]>();
  for (const item of context.getInputData().keys()) {
    const workspace = context.getNodeParameter('workspaceId', item) as string;
    const uploaded = workspaces.get(workspace);
    if (uploaded === undefined) workspaces.set(workspace, [item]);
    else uploaded.push(item);
  }
  const results: INodeExecutionData[] = [];
  for (const [workspace, uploaded] of workspaces) {
    const json = await send(context, workspace, uploaded).catch((error: Error): IDataObject => {
      if (!context.continueOnFail()) throw error;
      return { error: error.message };
    });
    results.push({ json, pairedItem: uploaded.map((item) => ({ item })) });
  }
  return results;
}

async function send(context: IExecuteFunctions, workspace: string, items: readonly number[]): Promise<IDataObject> {
  const [first = 0] = items;
  const body = {
    ...(workspace ? { workspace_id: workspace } : {}),
    fill: context.getNodeParameter('fill', first),
    rows: items.map((item) => rowOf(context, item)),
  };
  const headers = { 'Idempotency-Key': attempt(context, first) };
  return (await ask(context, { method: 'POST', url: '/actuals', body, headers })).body as IDataObject;
}

/** A row without its empty fields: an empty quantity is missing, not 0. The date stays, since without both the row would only describe its series. */
function rowOf(context: IExecuteFunctions, item: number): IDataObject {
  const row: IDataObject = { ds: null };
  for (const [parameter, field] of Object.entries(FIELDS)) {
    const value = context.getNodeParameter(parameter, item, '') as string | number | null | undefined;
    if (value !== '' && value !== null && value !== undefined) row[field] = field === 'y' ? numeric(value) : value;
  }
  return row;
}

/** A number that is text in the item as a number; anything else unchanged, for the service to say what is wrong with it. */
const numeric = (value: string | number): string | number =>
  typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
