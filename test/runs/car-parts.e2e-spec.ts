import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../config/paths.js';
import { Api, pagesOf } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Row {
  readonly unique_id: string;
  readonly ds: string;
  readonly q10: number;
  readonly q50: number;
  readonly q90: number;
}

const readSet = (part: 'train' | 'test'): string =>
  gunzipSync(readFileSync(join(PROJECT_ROOT, 'bench', 'data', 'carparts2509', `${part}.csv.gz`))).toString('utf8');

/** `unique_id,ds` to the demand of each row of a CSV. */
function demandByRow(csv: string): Map<string, number> {
  const rows = csv.trim().split('\n').slice(1);
  return new Map(rows.map((row) => [row.slice(0, row.lastIndexOf(',')), Number(row.slice(row.lastIndexOf(',') + 1))]));
}

describe('2,509 car parts', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('are uploaded as CSV and return one forecast for every series and month', async () => {
    const tenant = await createTenant(service);
    const api = new Api(service.url, tenant.workspaceKey);
    const train = readSet('train');
    expect(await api.upload(tenant.workspaceId, train)).toMatchObject({
      status: 200,
      body: { rows: 2_509 * 39, series_created: 2_509, rejected_count: 0 },
    });

    const run = await api.run({ config_overrides: { horizon: 12 } });
    expect(run).toMatchObject({ status: 'completed', metrics: { series_forecast: 2_509, skipped: { total: 0 } } });

    const forecasts = new Map<string, Row>();
    let order = '';
    for await (const page of pagesOf<Row[]>(api, `/runs/${run.id}/forecasts?limit=10000`)) {
      for (const row of page) {
        const key = `${row.unique_id},${row.ds}`;
        expect(key > order).toBe(true);
        order = key;
        forecasts.set(key, row);
      }
    }

    const actual = demandByRow(readSet('test'));
    expect(actual.size).toBe(2_509 * 12);
    expect([...forecasts.keys()].sort()).toEqual([...actual.keys()].sort());
    for (const { q10, q50, q90 } of forecasts.values()) {
      expect(0 <= q10 && q10 <= q50 && q50 <= q90 && Number.isFinite(q90)).toBe(true);
    }
    expect(meanScaledError(demandByRow(train), actual, forecasts)).toBeLessThan(0.82);
  });
});

/** MASE of the median over series with a scale, as the benchmark computes it (docs/engine.md): the seasonal naive has 1.201. */
function meanScaledError(train: Map<string, number>, actual: Map<string, number>, forecasts: Map<string, Row>): number {
  const histories = Map.groupBy(train, ([key]) => key.slice(0, key.indexOf(',')));
  const errors = new Map<string, number>();
  for (const [key, demand] of actual) {
    const id = key.slice(0, key.indexOf(','));
    errors.set(id, (errors.get(id) ?? 0) + Math.abs(demand - forecasts.get(key)!.q50) / 12);
  }
  const scaled = [...errors].flatMap(([id, error]) => {
    const history = histories.get(id)!.map(([, demand]) => demand);
    const scale =
      history.slice(12).reduce((sum, value, index) => sum + Math.abs(value - history[index]!), 0) /
      (history.length - 12);
    return scale > 0 ? [error / scale] : [];
  });
  return scaled.reduce((sum, error) => sum + error, 0) / scaled.length;
}
