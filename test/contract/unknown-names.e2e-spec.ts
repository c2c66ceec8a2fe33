import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant, UNKNOWN_ID } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('a name that is not known is refused beside those that are', () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    key = (await createTenant(service)).workspaceKey;
  });
  afterAll(() => service.close());

  const refusal = async (path: string, body?: string, status = 400): Promise<unknown> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const reply = await fetch(service.url + path, body === undefined ? { headers } : { method: 'POST', headers, body });
    expect(reply.status).toBe(status);
    return reply.json();
  };

  it.each([
    ['/api/v1/runs?Limit=5', 'Limit', 'limit, cursor, status, since, workspace_id'],
    ['/api/v1/series/A/forecast?run=1', 'run', 'run_id, apply_overrides'],
  ])('in a query: %s', async (path, param, known) => {
    const { errors } = (await refusal(path)) as { errors: { param: string; message: string }[] };
    const { message } = errors.find((error) => error.param === param)!;
    const [told, names] = message.split('; known are ');
    expect([told, names?.split(', ').sort()]).toEqual(['is not a known parameter', known.split(', ').sort()]);
  });

  it.each([
    ['{"horizon": 6}', 'horizon', 'workspace_id, config_overrides'],
    [
      '{"config_overrides": {"Horizon": 6}}',
      'config_overrides.Horizon',
      'horizon, models, backtest_windows, min_history, cutoff, series, outliers, seed',
    ],
  ])('in a body: %s', async (body, param, known) => {
    expect(await refusal('/api/v1/runs', body)).toMatchObject({
      errors: [{ param, message: `is not a known parameter; known are ${known}` }],
    });
  });

  it('in the query, where the body is its place', async () => {
    expect(await refusal(`/api/v1/runs?workspace_id=${UNKNOWN_ID}&horizon=6`, '{}')).toMatchObject({
      errors: [
        { param: 'workspace_id', message: 'belongs in the body, not in the query' },
        { param: 'horizon', message: 'is not a known parameter' },
      ],
    });
  });

  it.each([
    ['Series?filter=x', 'is not a known parameter; write $filter'],
    [
      'Series/$count?colour=red',
      'is not a known parameter; known are $filter, $apply, $format, $orderby, $expand, $top, $skip',
    ],
    [
      'Workspaces?$select=nmae',
      'at character 1: Workspace has no property nmae; there are id, name, time_zone, created_at',
    ],
    [
      'Alerts?$expand=seris',
      'at character 1: Alert has no navigation property seris; there are workspace, series, run',
    ],
    [
      'Runs?$filter=workspaces/name eq null',
      'at character 1: Run has no navigation property workspaces; there are workspace',
    ],
    [
      'Forecasts?$apply=groupby((ds),aggregate(mean with sum as m))&$orderby=mean',
      'at character 1: the aggregation gives no mean; there are ds, m',
    ],
  ])('in the feed: %s', async (query, message) => {
    expect(await refusal(`/odata/v4/${query}`)).toMatchObject({ error: { details: [{ message }] } });
  });

  it('in a call of the feed', async () => {
    const reply = await refusal(`/odata/v4/Series?$filter=substringof('a',unit)`);
    expect(reply).toMatchObject({
      error: {
        target: '$filter',
        message: expect.stringMatching(/at character 1: there is no function substringof; there are now, contains, .+/),
      },
    });
  });

  it('in an address of the feed', async () => {
    expect(await refusal('/odata/v4/forecasts', undefined, 404)).toMatchObject({
      error: { message: 'There is no such set; write Forecasts.' },
    });
    expect(await refusal('/odata/v4/Predictions', undefined, 404)).toMatchObject({
      error: {
        message:
          'There is no such set; the feed has Workspaces, Series, Actuals, Runs, Forecasts, SeriesMetrics, SafetyStocks, Alerts.',
      },
    });
  });
});
