import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

const of = (...operations: string[]): { show: { operation: string[] } } => ({ show: { operation: operations } });

export class DemandForecasting implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Demand Forecasting',
    name: 'demandForecasting',
    group: ['transform'],
    version: 1,
    description: 'Starts forecast runs and reads forecasts and safety stock',
    defaults: { name: 'Demand Forecasting' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'demandForecastingApi', required: true }],
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        default: 'triggerRun',
        options: [
          { name: 'Trigger Run', value: 'triggerRun' },
          { name: 'Get Series Forecast', value: 'seriesForecast' },
          { name: 'Get Safety Stock', value: 'safetyStock' },
        ],
      },
      { displayName: 'Workspace ID', name: 'workspaceId', type: 'string', default: '', displayOptions: of('triggerRun') },
      { displayName: 'Months', name: 'horizon', type: 'number', default: 12, displayOptions: of('triggerRun') },
      { displayName: 'Run ID', name: 'runId', type: 'string', default: '', required: true, displayOptions: of('seriesForecast', 'safetyStock') },
      { displayName: 'Series', name: 'seriesId', type: 'string', default: '', required: true, displayOptions: of('seriesForecast', 'safetyStock') },
      { displayName: 'Lead Time (Months)', name: 'leadTime', type: 'number', default: 1, displayOptions: of('safetyStock') },
      { displayName: 'Service Level', name: 'serviceLevel', type: 'number', default: 0.95, displayOptions: of('safetyStock') },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const { baseUrl } = await this.getCredentials('demandForecastingApi');
    const results: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item += 1) {
      const request = requestOf((name) => this.getNodeParameter(name, item));
      const asked = this.helpers.httpRequestWithAuthentication.call(this, 'demandForecastingApi', {
        ...request,
        url: `${String(baseUrl)}${request.url}`,
        json: true,
      }) as Promise<IDataObject>;
      const json = await asked.catch((error: Error): IDataObject => {
        if (!this.continueOnFail()) throw error;
        return { error: error.message }; // what the items before have started is told all the same
      });
      results.push({ json, pairedItem: { item } });
    }
    return [results];
  }
}

function requestOf(parameter: (name: string) => unknown): IHttpRequestOptions {
  const series = (): string => encodeURIComponent(String(parameter('seriesId')));
  switch (parameter('operation')) {
    case 'triggerRun': {
      const workspace = parameter('workspaceId');
      const body = { ...(workspace ? { workspace_id: workspace } : {}), config_overrides: { horizon: parameter('horizon') } };
      return { method: 'POST', url: '/forecasts', body };
    }
    case 'seriesForecast':
      return { method: 'GET', url: `/series/${series()}/forecast`, qs: { run_id: parameter('runId') } };
    default:
      return {
        method: 'GET',
        url: `/runs/${String(parameter('runId'))}/safety-stock/${series()}`,
        qs: { lead_time: parameter('leadTime'), service_level: parameter('serviceLevel') },
      };
  }
}
