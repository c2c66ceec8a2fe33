import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { attempt } from './attempt';
import { of } from './options';
import { ask } from './request';

/** Field of a row in the API that describes the series, by the parameter that it is entered in. */
const DESCRIPTION = {
  productName: 'product_name',
  category: 'category',
  unit: 'unit',
  replacedBy: 'replaced_by',
  rowLeadTime: 'lead_time_months',
  rowLeadTimeSd: 'lead_time_sd_months',
  rowServiceLevel: 'target_service_level',
} as const;
/** The fields of a row by operation. Without date and quantity, it only describes its series. */
const FIELDS = {
  uploadDemand: { uniqueId: 'unique_id', date: 'ds', quantity: 'y', ...DESCRIPTION },
  describeSeries: { uniqueId: 'unique_id', ...DESCRIPTION },
} as const;
const NUMBERS: ReadonlySet<string> = new Set(['y', 'lead_time_months', 'lead_time_sd_months', 'target_service_level']);

/** Whether the operation uploads the input items as rows. */
export const isUpload = (operation: string): operation is keyof typeof FIELDS => Object.hasOwn(FIELDS, operation);

/** What is asked for of each row, and of the upload. */
export const uploadProperties: INodeProperties[] = [
  {
    displayName: 'Series',
    name: 'uniqueId',
    type: 'string',
    default: '',
    required: true,
    description: 'Your identifier of the product, or of whatever else you forecast',
    displayOptions: of('uploadDemand', 'describeSeries'),
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
  { displayName: 'Product Name', name: 'productName', type: 'string', default: '', displayOptions: of('uploadDemand', 'describeSeries') },
  {
    displayName: 'Category',
    name: 'category',
    type: 'string',
    default: '',
    description: 'Series of a category learn from each other',
    displayOptions: of('uploadDemand', 'describeSeries'),
  },
  {
    displayName: 'Unit',
    name: 'unit',
    type: 'string',
    default: '',
    description: 'Unit of the quantity, such as kg',
    displayOptions: of('uploadDemand', 'describeSeries'),
  },
  {
    displayName: 'Replaced By',
    name: 'replacedBy',
    type: 'string',
    default: '',
    description: 'Your identifier of the product that replaces this one. Its forecast then continues the demand of both.',
    displayOptions: of('uploadDemand', 'describeSeries'),
  },
  {
    displayName: 'Lead Time (Months)',
    name: 'rowLeadTime',
    type: 'string',
    default: '',
    description: 'Months from order to delivery, for safety stock. If empty, that of the series is kept.',
    displayOptions: of('uploadDemand', 'describeSeries'),
  },
  {
    displayName: 'Standard Deviation of Lead Times (Months)',
    name: 'rowLeadTimeSd',
    type: 'string',
    default: '',
    description: 'How much deliveries vary. A week is 0.23 months. If empty, that of the series is kept.',
    displayOptions: of('uploadDemand', 'describeSeries'),
  },
  {
    displayName: 'Service Level',
    name: 'rowServiceLevel',
    type: 'string',
    default: '',
    description: 'Share of order cycles without a stockout, from 0.5 to 0.999. If empty, that of the series is kept.',
    displayOptions: of('uploadDemand', 'describeSeries'),
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
  const operation = context.getNodeParameter('operation', first) as keyof typeof FIELDS;
  const body = {
    ...(workspace ? { workspace_id: workspace } : {}),
    ...(operation === 'uploadDemand' ? { fill: context.getNodeParameter('fill', first) } : {}),
    rows: items.map((item) => rowOf(context, item, FIELDS[operation])),
  };
  const headers = { 'Idempotency-Key': attempt(context, first) };
  return (await ask(context, { method: 'POST', url: '/actuals', body, headers })).body as IDataObject;
}

/**
 * A row with null in its empty fields, since a row that lacks the date would only describe its series. Only an empty quantity is left out:
 * it is missing, not 0.
 */
function rowOf(context: IExecuteFunctions, item: number, fields: Readonly<Record<string, string>>): IDataObject {
  const row: IDataObject = {};
  for (const [parameter, field] of Object.entries(fields)) {
    const value = context.getNodeParameter(parameter, item, '') as string | number | null | undefined;
    if (value !== '' && value !== null && value !== undefined) row[field] = NUMBERS.has(field) ? numeric(value) : value;
    else if (field !== 'y') row[field] = null;
  }
  return row;
}

/** A number that is text in the item as a number; anything else unchanged, for the service to say what is wrong with it. */
const numeric = (value: string | number): string | number =>
  typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
