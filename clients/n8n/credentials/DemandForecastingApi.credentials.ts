import type { IAuthenticateGeneric, Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class DemandForecastingApi implements ICredentialType {
  name = 'demandForecastingApi';
  displayName = 'Demand Forecasting API';
  icon: Icon = { light: 'file:../icons/demand-forecasting.svg', dark: 'file:../icons/demand-forecasting.dark.svg' };
  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://forecasts.example.com/api/v1',
      description: 'URL of the service, including the path of the API',
      required: true,
    },
    { displayName: 'API Key', name: 'apiKey', type: 'string', typeOptions: { password: true }, default: '', required: true },
  ];
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{$credentials.apiKey}}' } },
  };
  test: ICredentialTestRequest = { request: { baseURL: '={{$credentials.baseUrl.trim()}}', url: '/usage' } };
}
