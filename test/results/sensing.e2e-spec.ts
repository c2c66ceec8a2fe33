import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readMonthSoFar } from '../../src/runs/sensing/month-so-far.queries.js';
import { Api, pagesOf } from '../support/api.js';
import { createTenant, UNKNOWN_ID } from '../support/builders.js';
import { mostDigits } from '../support/digits.js';
import { countLockWaiters, holdRows } from '../support/held-rows.js';
import { createPastRun } from '../support/history.js';
import { moveToMidday, TODAY } from '../support/time/midday.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

type Sensed = {
  unique_id: string;
  period: string;
  as_of: string | null;
  prior: number;
  month_to_date: number;
  expected_share: number;
  run_rate: number | null;
  weight: number;
  mean: number;
  q10: number;
  q50: number;
  q90: number;
};

const SERIES = ['HOT', 'COLD', 'STEADY'];
/** How the month in progress goes against the usual, by series. */
const PACE: Readonly<Record<string, number>> = { HOT: 1.6, COLD: 0.5, STEADY: 1 };

const day = (back: number): Date =>
  new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth(), TODAY.getUTCDate() - back));
const text = (date: Date): string => date.toISOString().slice(0, 10);
const thisMonth = `${text(TODAY).slice(0, 8)}01`;

/** Two and a half years of daily demand up to yesterday, ten pieces a day and a little noise. */
function dailyCsv(): string {
  const lines = ['unique_id,ds,y'];
  for (const [index, unique] of SERIES.entries()) {
    for (let back = 900; back >= 1; back -= 1) {
      const date = day(back);
      const pace = text(date) >= thisMonth ? PACE[unique]! : 1;
      lines.push(`${unique},${text(date)},${Math.round((10 + ((back * 31 + index * 7) % 5) - 2) * pace)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

describe('demand sensing', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  let runId: string;

  const middayWith = async (csv: string) => {
    const made = await tenantWithDemand(service, csv);
    await moveToMidday(service.database, made.tenant.workspaceId);
    return made;
  };

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await middayWith(dailyCsv()));
    runId = (await api.run({ config_overrides: { horizon: 3 } })).id;
    // backtests, which are larger than all the rest, are not read: ten billion windows could not be
    await service.database.execute(`UPDATE forecasts SET backtest = '\\x000000205fa00242'`);
  });
  afterAll(() => service.close());

  it('is empty for a workspace deleted a moment ago', async () => {
    const gone = { organizationId: UNKNOWN_ID, workspaceId: UNKNOWN_ID };
    await expect(readMonthSoFar(service.database, gone)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('moves the forecast of the current month towards the demand so far', async () => {
    const { status, body } = await api.get<Sensed[]>(`/runs/${runId}/demand-sensing`);
    expect([status, body.map((item) => item.unique_id)]).toEqual([200, SERIES.toSorted()]);
    const firstOfMonth = TODAY.getUTCDate() === 1; // nothing of the month is on record then
    for (const item of body) {
      expect(item).toMatchObject({ period: thisMonth, as_of: firstOfMonth ? null : text(day(1)) });
      expect(item.q10).toBeLessThanOrEqual(item.q50);
      expect(item.q50).toBeLessThanOrEqual(item.q90);
      expect(item.weight).toBeGreaterThanOrEqual(0);
      expect(item.weight).toBeLessThanOrEqual(1);
      if (firstOfMonth) {
        expect(item).toMatchObject({ month_to_date: 0, weight: 0, run_rate: null, mean: item.prior });
        continue;
      }
      expect(item.expected_share).toBeCloseTo(
        (TODAY.getUTCDate() - 1) / new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() + 1, 0)).getUTCDate(),
        1,
      );
      expect(item.run_rate! * item.expected_share).toBeCloseTo(item.month_to_date, 3); // both have seven digits
      expect(item.weight * item.run_rate! + (1 - item.weight) * item.prior).toBeCloseTo(item.mean, 3);
      expect(item.mean).toBeGreaterThanOrEqual(item.month_to_date);
    }
    if (firstOfMonth) return;
    const by = new Map(body.map((item) => [item.unique_id, item]));
    expect(by.get('HOT')!.mean).toBeGreaterThan(by.get('STEADY')!.mean);
    expect(by.get('STEADY')!.mean).toBeGreaterThan(by.get('COLD')!.mean);
  });

  it('rounds numbers, without binary rounding artifacts', async () => {
    const fractions = dailyCsv().replaceAll(/,(\d+)$/gm, ',0.$1');
    const { api: client } = await middayWith(fractions);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const { body } = await client.get<Sensed[]>(`/runs/${id}/demand-sensing`);
    expect(body).toHaveLength(SERIES.length);
    for (const { prior, expected_share, run_rate, weight, mean, q10, q50, q90, month_to_date } of body) {
      expect(mostDigits(JSON.stringify([prior, expected_share, run_rate, weight, mean, q10, q50, q90]))).toBeLessThan(
        8,
      );
      expect(mostDigits(JSON.stringify(month_to_date))).toBeLessThan(5);
    }
    const months = await client.get<{ y: number }[]>('/series/HOT/actuals');
    expect(mostDigits(JSON.stringify(months.body.map(({ y }) => y)))).toBeLessThan(6);
  });

  it('is paged by unique_id and can be limited to one series', async () => {
    const { body: all } = await api.get<Sensed[]>(`/runs/${runId}/demand-sensing`);
    const collected: Sensed[] = [];
    for await (const page of pagesOf<Sensed[]>(api, `/runs/${runId}/demand-sensing?limit=1`)) {
      expect(page.length).toBeLessThanOrEqual(1);
      collected.push(...page);
    }
    expect(collected).toEqual(all);
    expect((await api.get<Sensed[]>(`/runs/${runId}/demand-sensing?series_id=HOT`)).body).toEqual(
      all.filter((item) => item.unique_id === 'HOT'),
    );
    expect((await api.get(`/runs/${runId}/demand-sensing?series_id=NONE`)).status).toBe(404);
  });

  it('is computed for two callers of an organization at a time, and others wait', async () => {
    await using held = await holdRows(service.database, 'LOCK TABLE demand IN ACCESS EXCLUSIVE MODE');
    const asked = Array.from({ length: 5 }, () => api.get(`/runs/${runId}/demand-sensing`));
    await held.untilAwaitedBy(2);
    await sleep(300); // in which all five would have come to the table
    expect(await countLockWaiters(service.database)).toBe(2);
    await held.release();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  });

  it('keeps the prior of a series with monthly data only and none this month, whatever daily series sell', async () => {
    const months = Array.from({ length: 36 }, (_, back) => {
      const date = new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() - 1 - back, 1));
      return `BIG,${text(date).slice(0, 7)},${1_200_000 + (back % 7) * 1_000}`;
    });
    const { api: client } = await middayWith(`${dailyCsv()}${months.join('\n')}\n`);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const { body } = await client.get<Sensed[]>(`/runs/${id}/demand-sensing?series_id=BIG`);
    const [big] = body as [Sensed];
    expect(big).toMatchObject({ as_of: null, month_to_date: 0, run_rate: null, weight: 0, mean: big.prior });
    expect(big.q50).toBeGreaterThan(big.prior / 2);
    const { body: rows } = await client.get<{ ds: string; q10: number; q50: number; q90: number }[]>(
      `/runs/${id}/forecasts?series_id=BIG`,
    );
    const { q10, q50, q90 } = rows.find(({ ds }) => ds === thisMonth)!;
    expect(big).toMatchObject({ q10, q50, q90 });
  });

  it('deducts a large return from the month, not from the sales pace of a series', async () => {
    if (TODAY.getUTCDate() < 3) return; // a day of sales and one of returns
    const returned = dailyCsv().replace(new RegExp(`^(STEADY,${text(day(1))}),.*$`, 'm'), '$1,-900');
    const { api: client } = await middayWith(returned);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const { body } = await client.get<Sensed[]>(`/runs/${id}/demand-sensing?series_id=STEADY`);
    const [steady] = body as [Sensed];
    expect(steady.month_to_date).toBeLessThan(-500);
    expect(steady.run_rate! * steady.expected_share).toBeCloseTo(steady.month_to_date + 900, 3);
  });

  it('counts up to the last recorded day in the first month of daily demand too', async () => {
    if (TODAY.getUTCDate() < 4) return; // a first day alone is taken for the figure of the month
    const months = Array.from({ length: 24 }, (_, back) => {
      const date = new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() - 1 - back, 1));
      return `NEW,${text(date).slice(0, 7)},${300 + (back % 5)}`;
    });
    const days = [1, 2].map((date) => `NEW,${thisMonth.slice(0, 8)}0${date},10`);
    const { api: client } = await middayWith(`unique_id,ds,y\n${[...months, ...days].join('\n')}\n`);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const { body } = await client.get<Sensed[]>(`/runs/${id}/demand-sensing`);
    expect(body).toMatchObject([{ as_of: `${thisMonth.slice(0, 8)}02`, month_to_date: 20 }]);
  });

  it('counts what today has brought for as much of the day as that usually takes, at midday as at its end', async () => {
    const whole = SERIES.map((uniqueId) => `${uniqueId},${text(TODAY)},${Math.round(10 * PACE[uniqueId]!)}`);
    const { api: client } = await middayWith(`${dailyCsv()}${whole.join('\n')}\n`);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const { body } = await client.get<Sensed[]>(`/runs/${id}/demand-sensing?series_id=STEADY`);
    const [steady] = body as [Sensed];
    const days = new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() + 1, 0)).getUTCDate();
    expect(steady.as_of).toBe(text(TODAY));
    expect(Math.abs(days * steady.expected_share - TODAY.getUTCDate())).toBeLessThan(0.25);
  });

  it('does not count days to come, such as those of orders entered in advance', async () => {
    const tomorrow = text(day(-1));
    if (!tomorrow.startsWith(thisMonth.slice(0, 8))) return;
    const { api: client } = await middayWith(`${dailyCsv()}HOT,${tomorrow},5000\n`);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const sensed = await client.get<Sensed[]>(`/runs/${id}/demand-sensing`);
    const usual = await api.get<Sensed[]>(`/runs/${runId}/demand-sensing`);
    const known = ({ unique_id, as_of, month_to_date }: Sensed) => [unique_id, as_of, month_to_date];
    expect(sensed.body.map(known)).toEqual(usual.body.map(known));
  });

  it('does not take the figure of a month for demand of its first day, by which other series had sold nothing', async () => {
    const before = dailyCsv()
      .split('\n')
      .filter((line) => line === 'unique_id,ds,y' || line.split(',')[1]! < thisMonth);
    const figures = [1, 0].map((back) => {
      const date = new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() - back, 1));
      return `BIG,${text(date).slice(0, 7)},1200`;
    });
    const { api: client } = await middayWith(`${[...before.filter(Boolean), ...figures].join('\n')}\n`);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const { body } = await client.get<Sensed[]>(`/runs/${id}/demand-sensing`);
    expect(body.map(({ unique_id, as_of, month_to_date }) => [unique_id, as_of, month_to_date])).toEqual([
      ['BIG', text(TODAY), 1200],
      ...SERIES.toSorted().map((uniqueId) => [uniqueId, null, 0]),
    ]);
  });

  it('learns from the other series how a month builds up, for one without daily demand of its own', async () => {
    // nearly all of a month on its first day: later in the month, little of that is left to be seen
    const lines = Array.from({ length: 760 }, (_, back) => {
      const date = text(day(back + 1));
      return `HOT,${date},${date.endsWith('-01') ? 3000 : 1}`;
    });
    const months = Array.from({ length: 24 }, (_, back) => {
      const date = new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() - back, 1));
      return `BIG,${text(date).slice(0, 7)},1200`;
    });
    const { api: client } = await middayWith(`unique_id,ds,y\n${[...lines, ...months].join('\n')}\n`);
    const { id } = await client.run({ config_overrides: { horizon: 3 } });
    const { body } = await client.get<Sensed[]>(`/runs/${id}/demand-sensing?series_id=BIG`);
    expect(body).toMatchObject([{ as_of: text(TODAY), month_to_date: 1200 }]);
    expect(body[0]!.expected_share).toBeGreaterThan(TODAY.getUTCDate() === 1 ? 0.4 : 0.8);
  });

  it('omits series whose forecast does not reach the month', async () => {
    const past = await api.run({ config_overrides: { cutoff: text(day(400)).slice(0, 7), horizon: 2 } });
    expect(await api.get(`/runs/${past.id}/demand-sensing`)).toMatchObject({ status: 200, body: [] });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['cursor=x', 'cursor'],
    ['month=2026-11', 'month'],
  ])('refuses %s naming %s', async (query, param) => {
    expect(await api.get(`/runs/${runId}/demand-sensing?${query}`)).toMatchObject({
      status: 400,
      body: { errors: [{ param }] },
    });
  });

  it('is hidden from other tenants, and for incomplete runs', async () => {
    const other = await createTenant(service);
    for (const id of [runId, UNKNOWN_ID, 'nonsense']) {
      expect(await new Api(service.url, other.organizationKey).get(`/runs/${id}/demand-sensing`)).toMatchObject({
        status: 404,
        body: { detail: 'The run does not exist.' },
      });
    }
    const canceled = await createPastRun(service.database, tenant, { status: 'canceled', finishedAt: new Date() });
    const early = await api.get(`/runs/${canceled}/demand-sensing`);
    expect([early.status, early.body['code']]).toEqual([409, 'run_not_completed']);
  });
});
