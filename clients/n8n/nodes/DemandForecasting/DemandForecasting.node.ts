import { NodeConnectionTypes } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { attempt } from './attempt';
import { forecastRows, forecastRowsProperties } from './forecast-rows';
import { getCompletedRuns, getWorkspaces, of, runProperty, workspaceProperty } from './options';
import { ask } from './request';
import { safetyStockProperties, safetyStocks, stockTarget } from './safety-stock';
import { totals, totalsProperties } from './totals';
import { isUpload, upload, uploadProperties } from './upload';

export class DemandForecasting implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Demand Forecasting',
    name: 'demandForecasting',
    icon: { light: 'file:../../icons/demand-forecasting.svg', dark: 'file:../../icons/demand-forecasting.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Uploads demand, describes series, starts forecast runs, and gets forecasts, totals and safety stock',
    defaults: { name: 'Demand Forecasting' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'demandForecastingApi', required: true }],
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'triggerRun',
        options: [
          {
            name: 'Describe Series',
            value: 'describeSeries',
            action: 'Describe series',
            description:
              'Stores names, categories, lead times and service levels of series that have demand. Each input item is a row. If a row is wrong, nothing is stored.',
          },
          {
            name: 'Get Forecast Rows',
            value: 'forecastRows',
            action: 'Get the forecast rows of a run',
            description: 'Gets the forecast rows of a run, one for each series and month',
          },
          {
            name: 'Get Safety Stock',
            value: 'safetyStock',
            action: 'Get the safety stock of a series',
            description: 'Recommends a safety stock and a reorder point for a product',
          },
          {
            name: 'Get Series Forecast',
            value: 'seriesForecast',
            action: 'Get the forecast of a series',
            description: 'Gets the forecast of a product in plain language',
          },
          {
            name: 'Get Totals',
            value: 'totals',
            action: 'Get the totals of a run',
            description: 'Forecasts the demand of each category or of the whole workspace, with the range of the total',
          },
          {
            name: 'List Safety Stock',
            value: 'safetyStocks',
            action: 'List the safety stock of a run',
            description: 'Recommends a safety stock and a reorder point for each product of a run',
          },
          {
            name: 'Trigger Run',
            value: 'triggerRun',
            action: 'Trigger a run',
            description: 'Starts a forecast run, which counts against the monthly quota',
          },
          {
            name: 'Upload Demand',
            value: 'uploadDemand',
            action: 'Upload demand',
            description:
              'Stores demand by series and date, and replaces what was stored for them. Each input item is a row. If a row is wrong, nothing is stored.',
          },
        ],
      },
      { ...workspaceProperty, displayOptions: of('triggerRun', 'uploadDemand', 'describeSeries', 'forecastRows', 'totals', 'safetyStocks') },
      {
        displayName: 'Months',
        name: 'horizon',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 36 },
        default: 12,
        description: 'Number of months to forecast, from 1 to 36',
        displayOptions: of('triggerRun'),
      },
      { ...runProperty, displayOptions: of('seriesForecast', 'safetyStock') },
      {
        displayName: 'Series',
        name: 'seriesId',
        type: 'string',
        default: '',
        required: true,
        description: 'The ID or the unique_id of the series',
        displayOptions: of('seriesForecast', 'safetyStock'),
      },
      ...forecastRowsProperties,
      ...totalsProperties,
      ...uploadProperties,
      ...safetyStockProperties,
    ],
  };

  methods = { loadOptions: { getCompletedRuns, getWorkspaces } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    if (isUpload(this.getNodeParameter('operation', 0) as string)) return [await upload(this)];
    const results: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item += 1) {
      const asked = resultsOf(this, item).catch((error: Error): IDataObject[] => {
        if (!this.continueOnFail()) throw error;
        return [{ error: error.message }]; // what the items before have started is told all the same
      });
      for (const json of await asked) results.push({ json, pairedItem: { item } });
    }
    return [results];
  }
}

async function resultsOf(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const operation = context.getNodeParameter('operation', item);
  if (operation === 'forecastRows') return forecastRows(context, item);
  if (operation === 'totals') return totals(context, item);
  if (operation === 'safetyStocks') return safetyStocks(context, item);
  return [(await ask(context, requestOf(context, item), item)).body as IDataObject];
}

function requestOf(context: IExecuteFunctions, item: number): IHttpRequestOptions {
  const parameter = (name: string): string | number => context.getNodeParameter(name, item) as string | number;
  const series = (): string => encodeURIComponent(String(parameter('seriesId')));
  switch (parameter('operation')) {
    case 'triggerRun': {
      const workspace = parameter('workspaceId');
      const body = { ...(workspace ? { workspace_id: workspace } : {}), config_overrides: { horizon: parameter('horizon') } };
      return { method: 'POST', url: '/forecasts', body, headers: { 'Idempotency-Key': attempt(context, item) } };
    }
    case 'seriesForecast':
      return { method: 'GET', url: `/series/${series()}/forecast`, qs: { run_id: parameter('runId'), apply_overrides: true } };
    default:
      return {
        method: 'GET',
        url: `/runs/${encodeURIComponent(String(parameter('runId')))}/safety-stock/${series()}`,
        qs: stockTarget(context, item),
      };
  }
}
