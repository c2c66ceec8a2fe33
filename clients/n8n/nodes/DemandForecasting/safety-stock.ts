import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { latestRunProperty } from './latest-run';
import { categoryProperty, of } from './options';
import { filledIn } from './request';
import { limitProperties, rowsOfRun } from './run-rows';

/** What safety stock is for. Not numbers: these would be 0 where none is given, instead of what is stored with the series. */
export const safetyStockProperties: INodeProperties[] = [
  { ...latestRunProperty, displayOptions: of('safetyStocks') },
  categoryProperty('safetyStocks'),
  {
    displayName: 'Lead Time (Months)',
    name: 'leadTime',
    type: 'string',
    default: '',
    description: 'Months from order to delivery. If empty, that of the series, or 1.',
    displayOptions: of('safetyStock', 'safetyStocks'),
  },
  {
    displayName: 'Standard Deviation of Lead Times (Months)',
    name: 'leadTimeSd',
    type: 'string',
    default: '',
    description: 'How much deliveries vary. A week is 0.23 months. If empty, that of the series, or 0.',
    displayOptions: of('safetyStock', 'safetyStocks'),
  },
  {
    displayName: 'Service Level',
    name: 'serviceLevel',
    type: 'string',
    default: '',
    description: 'Share of order cycles without a stockout, from 0.5 to 0.999. If empty, that of the series, or 0.95.',
    displayOptions: of('safetyStock', 'safetyStocks'),
  },
  ...limitProperties('safetyStocks', 'series'),
];

/** The query for safety stock, as far as the item gives it. */
export function stockTarget(context: IExecuteFunctions, item: number): IDataObject {
  const parameter = (name: string): string | number => context.getNodeParameter(name, item) as string | number;
  return filledIn({
    lead_time: parameter('leadTime'),
    lead_time_sd: parameter('leadTimeSd'),
    service_level: parameter('serviceLevel'),
  });
}

/** The safety stock of each series of the run that an item names, or of the latest, up to the limit of the item. */
export function safetyStocks(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const category = context.getNodeParameter('category', item, '') as string;
  const qs = { ...filledIn({ category }), ...stockTarget(context, item) };
  return rowsOfRun(context, item, { name: 'safety-stock', qs, maxPage: 500 });
}
