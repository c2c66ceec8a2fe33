import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant, UNKNOWN_ID } from '../support/builders.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';

describe('an unknown name is refused beside known ones', () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await sharedService({ role: 'api' });
    key = (await createTenant(service)).workspaceKey;
  });

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
    const [fault, names] = message.split('; known parameters are ');
    expect([fault, names?.split(', ').sort()]).toEqual(['is not a known parameter', known.split(', ').sort()]);
  });

  it.each([
    ['{"Horizon": 6}', 'Horizon', 'workspace_id, config_overrides'],
    [
      '{"config_overrides": {"Horizon": 6}}',
      'config_overrides.Horizon',
      'horizon, models, backtest_windows, min_history, cutoff, series, outliers, seed',
    ],
  ])('in a body: %s', async (body, param, known) => {
    expect(await refusal('/api/v1/runs', body)).toMatchObject({
      errors: [{ param, message: `is not a known parameter; known parameters are ${known}` }],
    });
  });

  it('in a body, when it belongs in one of its members', async () => {
    expect(await refusal('/api/v1/runs', '{"horizon": 6}')).toMatchObject({
      errors: [{ param: 'horizon', message: 'is not a known parameter; it belongs in config_overrides' }],
    });
  });

  it('in the query, when it belongs in the body', async () => {
    expect(await refusal(`/api/v1/runs?workspace_id=${UNKNOWN_ID}&horizon=6`, '{}')).toMatchObject({
      errors: [
        { param: 'workspace_id', message: 'belongs in the body, not in the query' },
        { param: 'horizon', message: 'is not a known parameter' },
      ],
    });
  });

  it.each([
    ['Series?filter=x', 'is not a known parameter; use $filter'],
    [
      'Series/$count?colour=red',
      'is not a known parameter; the known parameters are $filter, $apply, $format, $orderby, $expand, $top, $skip',
    ],
    [
      'Workspaces?$select=nmae',
      'at character 1: Workspace has no property nmae; the known names are id, name, time_zone, created_at',
    ],
    ['Forecasts?$filter=is_latest eq true', 'at character 1: Forecast has no property is_latest; use run/is_latest'],
    ['Runs?$orderby=time_zone', 'at character 1: Run has no property time_zone; use workspace/time_zone'],
    [
      'Actuals?$filter=id eq null',
      'at character 1: Actual has no property id; the known names are series_id, ds, workspace_id, unique_id, product_name, category, unit, month, y; put strings in quotes',
    ],
    [
      'Alerts?$expand=seris',
      'at character 1: Alert has no navigation property seris; the known names are workspace, series, run',
    ],
    [
      'Runs?$filter=workspaces/name eq null',
      'at character 1: Run has no navigation property workspaces; the known names are workspace',
    ],
    [
      'Forecasts?$apply=groupby((ds),aggregate(mean with sum as m))&$orderby=mean',
      'at character 1: the aggregation has no column mean; the known names are ds, m',
    ],
  ])('in the feed: %s', async (query, message) => {
    expect(await refusal(`/odata/v4/${query}`)).toMatchObject({ error: { details: [{ message }] } });
  });

  it('in a function call of the feed', async () => {
    const reply = await refusal(`/odata/v4/Series?$filter=substringof('a',unit)`);
    expect(reply).toMatchObject({
      error: {
        target: '$filter',
        message: expect.stringMatching(
          /at character 1: unknown function substringof; the functions are now, contains, .+/,
        ),
      },
    });
  });

  it('in a path of the feed', async () => {
    expect(await refusal('/odata/v4/forecasts', undefined, 404)).toMatchObject({
      error: { message: 'The set does not exist; use Forecasts.' },
    });
    expect(await refusal('/odata/v4/Predictions', undefined, 404)).toMatchObject({
      error: {
        message:
          'The set does not exist; the feed has Workspaces, Series, Actuals, Runs, Forecasts, SeriesMetrics, Totals, SafetyStocks, Alerts.',
      },
    });
  });
});
