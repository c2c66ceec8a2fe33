import { describe, expect, it } from '@jest/globals';
import { monthNumber } from '../calendar.js';
import { type HolidayName, holidayExcess } from '../calendar-regression/moving-holidays.js';
import { describeForecast, type DescribedForecast } from './describe-forecast.js';
import { normalQuantile } from '../../numeric/normal.js';
import { createRandom } from '../../numeric/random.js';
import { history } from '../testing/series.js';
import { LEVELS } from '../types.js';

const NEXT = monthNumber(2026, 12);

/** A forecast of twelve equal months from December 2026 on, and the history before it. */
function described(
  numbers: { values?: number[]; low?: number; best?: number; high?: number; mean?: number },
  overrides: Partial<DescribedForecast> = {},
): DescribedForecast {
  const { values = [], low = 0, best = 0, high = 0, mean = best } = numbers;
  const row = [low, low, low, low, best, high, high, high, high];
  return {
    history: history(values, { startMonth: NEXT - values.length, unit: 'pieces' }),
    forecast: {
      firstMonth: NEXT,
      model: 'combination',
      mean: new Float64Array(12).fill(mean),
      quantiles: Float64Array.from({ length: 12 * LEVELS }, (_, i) => row[i % LEVELS]!),
    },
    trendLabel: 'stable',
    ...overrides,
  };
}
const steady = (months: number, value: number): number[] =>
  Array.from({ length: months }, (_, t) => value + ((t * 7) % 5) - 2);

describe('describeForecast', () => {
  it('states what to expect, how certain it is and where demand is going', () => {
    const text = describeForecast(
      described(
        { values: steady(48, 1255000), low: 1010400.4, best: 1255016.2, high: 1502700.7, mean: 1355000 },
        { trendLabel: 'growth' },
      ),
    );
    expect(text).toBe(
      'Expect about 1,255,000 pieces in December 2026, and with four chances in five between 1,010,000 and 1,503,000. Demand is growing.',
    );
  });

  describe('for demand that moves with a holiday', () => {
    const following = (name: HolidayName, effect: number, next = NEXT): number[] =>
      steady(60, 200).map((value, t) => value * Math.exp(effect * holidayExcess(name, next - 60 + t)));
    const told = (values: number[], next = NEXT, forecast: Partial<DescribedForecast['forecast']> = {}): string => {
      const given = described({ low: 150, best: 200, high: 250 });
      return describeForecast({
        ...given,
        history: history(values, { startMonth: next - values.length }),
        forecast: { ...given.forecast, firstMonth: next, ...forecast },
      });
    };

    it.each<[HolidayName, number, number, string]>([
      [
        'lunar_new_year',
        0.6,
        2026,
        'the Lunar New Year, which is about 17 February 2026 and was about 29 January 2025',
      ],
      [
        'before_lunar_new_year',
        -0.6,
        2027,
        'the Lunar New Year, which is about 6 February 2027 and was about 17 February 2026',
      ],
      ['eid_al_fitr', 0.6, 2025, 'Eid al-Fitr, which is about 31 March 2025 and was about 10 April 2024'],
      ['diwali', 0.6, 2027, 'Diwali, which is about 29 October 2027 and was about 8 November 2026'],
      ['easter', 0.6, 2027, 'Easter, which is on 28 March 2027 and was on 5 April 2026'],
      ['orthodox_easter', 0.6, 2024, 'the orthodox Easter, which is on 5 May 2024 and was on 16 April 2023'],
    ])('names %s and its dates', (name, effect, year, words) => {
      const next = monthNumber(year, 1);
      const text = told(following(name, effect, next), next);
      expect(text).toMatch(new RegExp(` Demand is stable\\. Demand has moved with ${words}\\.$`));
    });

    it('omits a holiday that lies beyond the forecast, moves little or is unknown to the method', () => {
      const values = following('diwali', 0.6);
      const { mean, quantiles } = described({ low: 150, best: 200, high: 250 }).forecast;
      const untilMay = { mean: mean.subarray(0, 6), quantiles: quantiles.subarray(0, 6 * LEVELS) };
      expect(told(values)).toMatch(/ Demand has moved with Diwali, /);
      for (const text of [
        told(values, NEXT, untilMay),
        told(values, NEXT, { model: 'theta' }),
        told(following('easter', 0.03)),
        // all in February of both years
        told(following('lunar_new_year', 0.6)),
      ])
        expect(text).not.toContain('moved with');
    });

    it('omits the holiday of demand that has ended', () => {
      const values = following('diwali', 0.6);
      expect(told(values)).toContain('moved with');
      expect(told(values.map((value, t) => (t < 57 ? value : 0)))).toMatch(/ The last demand was in August 2026\.$/);
    });

    it('does not mistake a single sold-out month for a holiday effect', () => {
      const random = createRandom(7);
      const values = Array.from({ length: 48 }, () => 300 * (1 + 0.1 * normalQuantile(0.001 + 0.998 * random())));
      expect(told(values.with(16, 0))).not.toContain('moved with');
    });
  });

  it('reports a new level of an important item as soon as alerts do', () => {
    const random = createRandom(80);
    const values = Array.from(
      { length: 60 },
      (_, t) => (t < 54 ? 100 : 116) * (1 + 0.08 * normalQuantile(0.001 + 0.998 * random())),
    );
    const numbers = { values, low: 90, best: 105, high: 120 };
    expect(describeForecast(described(numbers))).toMatch(/ Demand is stable\.$/);
    expect(describeForecast(described(numbers, { important: true }))).toMatch(
      / Demand has been 20 % higher than expected since July 2026: 116 pieces a month over the first 4 months against 97\.$/,
    );
  });

  it('rounds to whole pieces when the history is in whole pieces, and not otherwise', () => {
    const whole = { values: steady(48, 12), low: 8.4, best: 12.4, high: 17.6 };
    expect(describeForecast(described(whole))).toMatch(/^Expect about 12 pieces .* between 8 and 18\./);
    const liters = { ...whole, values: steady(48, 12).map((value) => value + 0.5) };
    expect(describeForecast(described(liters))).toMatch(/^Expect about 12\.4 pieces .* between 8\.4 and 17\.6\./);
  });

  it('gives the ends of a narrow range in distinguishable numbers', () => {
    const narrow = { values: steady(48, 1.1), low: 1.06, best: 1.1, high: 1.14 };
    expect(describeForecast(described(narrow))).toMatch(/^Expect about 1\.1 pieces .* between 1\.06 and 1\.14\./);
  });

  it('distinguishes the best estimate from the ends of its range', () => {
    const small = { values: steady(48, 3.5), low: 1.02, best: 1.06, high: 1.1 };
    expect(describeForecast(described(small))).toMatch(/^Expect about 1\.06 pieces .* between 1\.02 and 1\.1\./);
  });

  it('gives all digits of large numbers when the range needs them or is empty', () => {
    const narrow = { values: steady(48, 1255000), low: 1255012, best: 1255016, high: 1255020 };
    expect(describeForecast(described(narrow))).toMatch(
      /^Expect about 1,255,016 pieces .* between 1,255,012 and 1,255,020\./,
    );
    const near = { values: steady(48, 123456), low: 123449, best: 123456, high: 123551 };
    expect(describeForecast(described(near))).toMatch(/^Expect about 123,456 pieces .* between 123,449 and 123,551\./);
    const constant = { values: new Array<number>(48).fill(1255016), low: 1255016, best: 1255016, high: 1255016 };
    expect(describeForecast(described(constant))).toMatch(/^Expect 1,255,016 pieces in December 2026\. /);
  });

  it('gives one number when the range is negligibly narrow', () => {
    const constant = { values: new Array<number>(48).fill(0.1), low: 0.09999828, best: 0.1000031, high: 0.1000233 };
    expect(describeForecast(described(constant))).toMatch(/^Expect 0\.1 pieces in December 2026\. /);
  });

  it('expects no demand when even the high quantile rounds to zero', () => {
    const rare = Array.from({ length: 60 }, (_, t) => (t % 20 === 0 ? 2 : 0));
    expect(describeForecast(described({ values: rare, high: 0.4, mean: 0.01 }))).toMatch(
      /^Expect no demand in December 2026\./,
    );
  });

  it('mentions the demand of the horizon when the month alone has hardly any', () => {
    const rare = Array.from({ length: 60 }, (_, t) => (t % 20 === 0 ? 2 : 0));
    const text = describeForecast(described({ values: rare, mean: 0.1 }, { trendLabel: 'intermittent' }));
    expect(text).toMatch(
      /^Expect hardly any demand in December 2026 alone, but about 1 piece in the next 12 months altogether\./,
    );
  });

  it('rounds less than one piece over the whole horizon up to one', () => {
    const rare = Array.from({ length: 60 }, (_, t) => (t % 20 === 0 ? 2 : 0));
    const text = describeForecast(described({ values: rare, mean: 0.05 }, { trendLabel: 'intermittent' }));
    expect(text).toContain('but about 1 piece in the next 12 months altogether.');
  });

  it('derives the horizon total from the mean when medians are zero', () => {
    const rare = Array.from({ length: 48 }, (_, t) => ([0, 3, 9, 14, 16, 25, 31, 33, 42, 46].includes(t) ? 3 : 0));
    const text = describeForecast(
      described({ values: rare, low: 0, best: 0, high: 3, mean: 0.71 }, { trendLabel: 'intermittent' }),
    );
    expect(text).toBe(
      'Most likely there is no demand in December 2026; with nine chances in ten it is at most 3 pieces. ' +
        'Expect about 9 pieces in the next 12 months altogether. Demand is intermittent: many months without orders are normal.',
    );
  });

  it('gives the horizon total of what is not counted in pieces as it is', () => {
    const rare = Array.from({ length: 60 }, (_, t) => (t % 20 === 0 ? 2.5 : 0));
    const text = describeForecast(described({ values: rare, mean: 0.04 }, { trendLabel: 'intermittent' }));
    expect(text).toContain('but about 0.48 pieces in the next 12 months altogether.');
  });

  it('gives no total of a horizon of one month', () => {
    const rare = Array.from({ length: 60 }, (_, t) => (t % 20 === 0 ? 2 : 0));
    const { forecast, ...rest } = described({ values: rare, high: 2, mean: 0.7 }, { trendLabel: 'intermittent' });
    const month = {
      ...forecast,
      mean: forecast.mean.subarray(0, 1),
      quantiles: forecast.quantiles.subarray(0, LEVELS),
    };
    expect(describeForecast({ ...rest, forecast: month })).not.toContain('altogether');
  });

  it('announces an upcoming season in a month before it', () => {
    const summers = Array.from({ length: 48 }, (_, t) => (t % 12 < 3 ? 85 : 0));
    const season = described({ values: summers, low: 70, best: 85, high: 100 }, { trendLabel: 'intermittent' });
    const { history, forecast, ...rest } = season;
    const mean = forecast.mean.map((value, k) => (k < 3 ? value : 0));
    const quantiles = forecast.quantiles.map((value, i) => (i < 3 * LEVELS ? value : 0));
    const ahead = { history, forecast: { ...forecast, mean: mean.reverse(), quantiles: quantiles.reverse() }, ...rest };
    expect(describeForecast(ahead)).toBe(
      'Expect no demand in December 2026, but about 255 pieces in the next 12 months altogether. ' +
        'Demand comes every year in December, January and February; the other months are normally without orders.',
    );
  });

  it('names the months of a season in calendar order, without those that were never observed', () => {
    const told = (sells: (t: number) => boolean, missing?: number): string => {
      const values = Array.from({ length: 48 }, (_, t) => (t % 12 === missing ? NaN : sells(t) ? 85 : 0));
      return describeForecast(described({ values, best: 85, high: 100 }, { trendLabel: 'intermittent' }));
    };
    // the history starts in December
    expect(told((t) => [4, 11].includes(t % 12))).toMatch(/ Demand comes every year in April and November; the other/);
    expect(told((t) => t % 12 === 0, 6)).toMatch(/ Demand comes every year in December; the other/);
  });

  it('reports the cycle of cyclical orders', () => {
    const quarterly = Array.from({ length: 24 }, (_, t) => (t % 3 === 0 ? 85 : 0));
    const text = describeForecast(described({ values: quarterly, high: 85, mean: 28 }, { trendLabel: 'intermittent' }));
    expect(text).toMatch(/ Demand repeats every 3 months; the months between are normally without orders\.$/);
  });

  it('does not call a month in which demand came once one of every year', () => {
    const told = (years: string): string => {
      const values = Array.from(years.replaceAll(' ', ''), Number);
      return describeForecast(described({ values, high: 3, mean: 1 }, { trendLabel: 'intermittent' }));
    };
    // up to November 2026
    expect(told('040000000300 050090000300 090000000800 020000000700 010000000700 070000000100 03')).toMatch(
      / Demand comes every year in July and November; the other/,
    );
    expect(told('000000060030 000000060070 000000010070 800000030050 000000080020 000000240000 000')).toMatch(
      / Demand came every year in April and July, but there was none in July 2026\.$/,
    );
  });

  it('names the month in which regular orders did not come', () => {
    const told = (values: number[]): string =>
      describeForecast(described({ values, high: 3, mean: 1 }, { trendLabel: 'intermittent' }));
    // from December 2021 on: orders each July, the last of them in 2025
    const yearly = Array.from({ length: 60 }, (_, t) => (t % 12 === 7 && t < 48 ? 80 + (t % 5) : 0));
    expect(told(yearly)).toMatch(/ Demand came every year in July, but there was none in July 2026\.$/);
    const quarterly = Array.from({ length: 28 }, (_, t) => (t % 3 === 0 && t < 24 ? 85 : 0));
    expect(told(quarterly)).toMatch(/ Demand repeated every 3 months, but there was none in August 2026\.$/);
    expect(told(quarterly.slice(0, 24))).toMatch(/ Demand repeats every 3 months; /);
  });

  it('does not call demand intermittent that never was, or has ended', () => {
    const never = described({ values: new Array<number>(30).fill(0) }, { trendLabel: 'intermittent' });
    expect(describeForecast(never)).toBe(
      'Expect no demand in December 2026. There was no demand in the 30 months of its history.',
    );
    const once = described({ values: [0] }, { trendLabel: 'insufficient_data' });
    expect(describeForecast(once)).toMatch(/ There was no demand in the only month of its history\.$/);
    const over = described({ values: [4, 5, 4, ...new Array<number>(30).fill(0)] }, { trendLabel: 'intermittent' });
    expect(describeForecast(over)).toMatch(/The last demand was in May 2024\.$/);
  });

  it('does not count the months since monthly demand ended as intermittent', () => {
    const silent = (values: number[]): string =>
      describeForecast(described({ values }, { trendLabel: 'intermittent' }));
    const ended = new Array<number>(12).fill(0);
    expect(silent([...steady(24, 60), ...ended])).toMatch(/ The last demand was in November 2025\.$/);
    expect(silent([...steady(6, 60), ...ended, ...steady(6, 60), ...ended])).toMatch(/ Demand is intermittent:/);
  });

  it.each(['stable', 'growth', 'insufficient_data'] as const)(
    'reports that frequent demand labelled %s has ended after two silent months, not before',
    (trendLabel) => {
      const silent = (months: number): string =>
        describeForecast(
          described({ values: [...steady(20, 60), ...new Array<number>(months).fill(0)] }, { trendLabel }),
        );
      expect(silent(2)).toMatch(/ The last demand was in September 2026\.$/);
      expect(silent(1)).not.toMatch(/last demand/);
    },
  );

  it('reports the last demand of goods that have paused as long before, from the third silent month on', () => {
    const told = (silent: number): string =>
      describeForecast(
        described({ values: [...steady(20, 60), 0, 0, 0, ...steady(30, 60), ...new Array<number>(silent).fill(0)] }),
      );
    expect(told(3)).toMatch(/ The last demand was in August 2026\.$/);
    expect(told(2)).not.toMatch(/last demand/);
  });

  it('treats months of returns after the last demand as months without demand', () => {
    const ended = (values: number[], trendLabel: 'growth' | 'intermittent'): string =>
      describeForecast(described({ values }, { trendLabel }));
    expect(ended([...steady(20, 60), 0, -2, 0], 'growth')).toMatch(/ The last demand was in August 2026\.$/);
    const rare = Array.from({ length: 30 }, (_, t) => (t % 4 === 0 ? 3 + (t % 3) : 0));
    const returned = Array.from({ length: 30 }, (_, t) => (t === 9 ? -1 : 0));
    expect(ended([...rare, ...returned], 'intermittent')).toMatch(/ The last demand was in April 2024\.$/);
  });

  it.each([
    ['strong_growth', 40, 'grown', 90, '10 % below'],
    ['strong_growth', 40, 'grown', 102, 'about as high as'],
    ['decline', 160, 'declined', 110, '10 % above'],
    ['decline', 160, 'declined', 98, 'about as high as'],
  ] as const)(
    'does not claim %s over two years when the forecast does not continue it (from %d to 100, forecast %d)',
    (trendLabel, first, verb, on, place) => {
      const values = [...steady(12, first), ...steady(12, 100)];
      const told = (best: number): string => describeForecast(described({ values, best }, { trendLabel }));
      expect(told(on)).toContain(
        ` Demand has ${verb} over two years, but the forecast lies ${place} the same months a year before.`,
      );
      expect(told(trendLabel === 'decline' ? 90 : 110)).not.toMatch(/over two years/);
    },
  );

  it('expects no fraction of a piece', () => {
    const over = described({ values: [4, 5, 4, ...new Array<number>(30).fill(0)], mean: 0.004 });
    expect(describeForecast(over)).toMatch(/^Expect no demand in December 2026\. The last demand was in /);
  });

  it('calls demand stable when nothing contradicts it', () => {
    const text = describeForecast(described({ values: steady(48, 200), low: 180, best: 201, high: 220 }));
    expect(text).toMatch(/Demand is stable\.$/);
  });

  it.each([
    ['a spike', 400, / Demand in November 2026 was 400 pieces, [\d.]+ % above the 20\d expected\.$/],
    ['no demand', 0, / There was no demand in November 2026 against the 20\d pieces expected\.$/],
  ])('does not call demand stable after a latest month of %s', (_, last, told) => {
    const text = describeForecast(described({ values: [...steady(47, 200), last], low: 180, best: 201, high: 220 }));
    expect(text).toMatch(told);
  });

  it('reports a latest month that stands out in place of a year before that counts it', () => {
    const told = (last: number, best: number): string =>
      describeForecast(described({ values: [...steady(47, 200), last], low: best - 20, best, high: best + 20 }));
    expect(told(2000, 230)).toMatch(/ Demand in November 2026 was 2,000 pieces, 10 times the 200 expected\.$/);
    expect(told(20, 150)).toMatch(/ Demand in November 2026 was 20 pieces, 90 % below the 200 expected\.$/);
  });

  it('adds a latest month that stands out to the step behind a trend', () => {
    const values = [...steady(48, 900), ...steady(8, 150), 400];
    const text = describeForecast(described({ values, best: 200, high: 400 }, { trendLabel: 'strong_decline' }));
    expect(text).toMatch(
      / lower than expected since March 2026: .* Demand in November 2026 was 400 pieces, [\d.]+ % above the 1\d\d expected\.$/,
    );
  });

  it('adds a latest month that stands out to a trend', () => {
    const values = [...Array.from({ length: 47 }, (_, t) => Math.round(100 * 1.015 ** t) + ((t * 7) % 5)), 60];
    const text = describeForecast(described({ values, low: 180, best: 200, high: 220 }, { trendLabel: 'growth' }));
    expect(text).toMatch(
      / Demand is growing\. Demand in November 2026 was 60 pieces, [\d.]+ % below the 20\d expected\.$/,
    );
    const ended = describeForecast(described({ values, low: 90, best: 100, high: 110 }, { trendLabel: 'growth' }));
    expect(ended).toMatch(
      / Demand has grown over two years, but the forecast lies 46 % below the same months a year before, single odd months aside\. Demand in November 2026 was 60 /,
    );
  });

  it('reports an unusually large order of the latest month among rare ones', () => {
    const values = [...Array.from({ length: 47 }, (_, t) => [0, 2, 0, 0, 1, 0, 3, 0, 0, 0, 2][t % 11]!), 60];
    const text = describeForecast(described({ values, high: 26, mean: 8 }, { trendLabel: 'intermittent' }));
    expect(text).toMatch(/ Demand in November 2026 was 60 pieces, \d+ times the [\d.]+ expected\.$/);
  });

  it('reports a recent level shift in place of a label that does not reflect it yet', () => {
    const values = [...steady(45, 200), ...steady(3, 430)];
    const text = describeForecast(described({ values, low: 380, best: 430, high: 480 }));
    expect(text).not.toContain('stable');
    expect(text).toMatch(/Demand has been 1\d\d % higher than expected since September 2026: 4\d\d pieces a month/);
  });

  it('reports the latest month when it contradicts a recent level shift', () => {
    const values = [...steady(44, 900), ...steady(3, 150), 400];
    const text = describeForecast(described({ values, low: 200, best: 400, high: 600 }));
    expect(text).toMatch(/ Demand in November 2026 was 400 pieces, \d+ % above the 1\d\d expected\.$/);
    const fallen = describeForecast(described({ values: values.slice(0, -1), low: 100, best: 150, high: 200 }));
    expect(fallen).toMatch(/ Demand has been 83 % lower than expected since September 2026: /);
    const spiked = describeForecast(described({ values: values.slice(0, -1).with(30, 4_000), best: 150 }));
    expect(spiked).toMatch(/ Demand has been 83 % lower than expected since September 2026: /);
  });

  it('reports the last demand of goods in decline from the second month without any', () => {
    const faded = [...steady(50, 820), 580, 520, 350, 150];
    const told = (...months: number[]): string =>
      describeForecast(described({ values: [...faded, ...months], high: 300 }));
    expect(told(0)).toMatch(/ Demand has been [\d.]+ % lower than expected since /);
    expect(told(0, 0)).toMatch(/ The last demand was in September 2026\.$/);
  });

  it('reports the step behind a two-year trend for a year', () => {
    const told = (months: number): string => {
      const values = [...steady(48, 900), ...steady(months, 330)];
      return describeForecast(described({ values, low: 250, best: 330, high: 400 }, { trendLabel: 'strong_decline' }));
    };
    const step =
      / Demand has been 63 % lower than expected since December 2025: 330 pieces a month over the first 3 months against 900\.$/;
    expect(told(12)).toMatch(step);
    expect(told(15)).toMatch(/ Demand has declined over two years, but the forecast lies about as high as /);
    const over = [...steady(48, 900), ...steady(3, 330), ...steady(3, 700)];
    expect(describeForecast(described({ values: over, best: 620 }, { trendLabel: 'decline' }))).toMatch(
      / Demand is declining\.$/,
    );
  });

  it('reports a recent step against the trend that is labelled, as alerts do, and the trend as past', () => {
    const fallen = [...steady(48, 900), ...steady(5, 330)];
    const told = describeForecast(described({ values: fallen, best: 330, high: 400 }, { trendLabel: 'growth' }));
    expect(told).toMatch(
      / Demand has grown over two years, but demand has been [\d.]+ % lower than expected since July 2026: 330 pieces /,
    );
    const back = [...steady(48, 900), ...steady(5, 330), ...steady(3, 900)];
    expect(describeForecast(described({ values: back, best: 900 }, { trendLabel: 'strong_decline' }))).toMatch(
      / Demand has declined over two years, but demand has been back since September 2026 at its level from before April 2026: /,
    );
    const over = [...steady(48, 900), ...steady(3, 330), ...steady(3, 700)];
    expect(describeForecast(described({ values: over, best: 960 }, { trendLabel: 'growth' }))).toMatch(
      / Demand is growing\.$/,
    );
    const longAgo = [...steady(48, 900), ...steady(9, 330)];
    expect(describeForecast(described({ values: longAgo, best: 330 }, { trendLabel: 'growth' }))).toMatch(
      / Demand has grown over two years, but the forecast lies \d+ % below /,
    );
  });

  it('names the months of a trend in a history shorter than two years', () => {
    const values = [...steady(8, 40), ...steady(10, 100)];
    expect(describeForecast(described({ values, best: 70 }, { trendLabel: 'growth' }))).toMatch(
      / Demand has grown over 18 months, but the forecast lies \d+ % below the same months a year before\./,
    );
  });

  it('names the month in which demand began where that is too recently for a trend', () => {
    const told = (values: number[]): string =>
      describeForecast(described({ values, best: 40 }, { trendLabel: 'insufficient_data' }));
    expect(told([...new Array<number>(30).fill(0), ...steady(5, 40)])).toMatch(
      / Demand began in July 2026, too recently to tell a trend\.$/,
    );
    expect(told([...steady(20, 30), ...new Array<number>(14).fill(0), ...steady(5, 40)])).toMatch(
      / Demand began again in July 2026, too recently to tell a trend\.$/,
    );
    const rare = Array.from({ length: 28 }, (_, t) => (t % 5 === 3 || t === 25 ? 40 : 0));
    expect(told([...rare, ...steady(9, 40)])).toMatch(
      / Demand has come more often since March 2026, too recently to tell a trend\.$/,
    );
    expect(told(steady(5, 40))).toMatch(/ The history is too short to tell a trend\.$/);
  });

  it('does not report the end of demand that has resumed', () => {
    const values = [...steady(60, 300), 0, 0, 0, 180, 0];
    expect(describeForecast(described({ values: values.slice(0, 63) }))).toContain('The last demand was in');
    expect(describeForecast(described({ values, best: 180 }))).not.toContain('last demand');
    const declining = describeForecast(described({ values, best: 180 }, { trendLabel: 'decline' }));
    expect(declining).toMatch(/ Demand is declining\.$/);
  });

  it('does not call demand stable that has not made up for returns', () => {
    const values = [...steady(60, 300), -200, -150, -100, -180, 20];
    expect(describeForecast(described({ values, best: 20 }))).toContain('was 20 pieces where none was expected.');
  });

  it('reports a recent level shift of cyclical orders', () => {
    const cycle = Array.from({ length: 48 }, (_, t) => (t % 4 === 0 ? 2 : 0));
    const told = (months: number): string => {
      const values = [...cycle, ...Array.from({ length: months }, (_, t) => 1 + (t % 3))];
      return describeForecast(described({ values }, { trendLabel: 'intermittent' }));
    };
    expect(told(12)).toMatch(/ Demand has been 4\.7 times what was expected since January 2026: /);
    expect(told(14)).toMatch(/ Demand came in each of the last 12 months, and less often before\.$/);
  });

  it('reports a recent level shift of rare orders', () => {
    const rare = Array.from({ length: 55 }, (_, t) => (t % 7 === 0 || t % 11 === 0 ? 1 : 0));
    const text = describeForecast(described({ values: [...rare, 2, 3, 2, 3, 2] }, { trendLabel: 'intermittent' }));
    expect(text).toMatch(/ Demand has been 10 times what was expected since July 2026: /);
  });

  it('reports the end of rare orders once found, for as long as there are none', () => {
    const rare = Array.from({ length: 48 }, (_, t) => (t % 2 === 0 || t % 5 === 0 ? 1 + (t % 3) : 0));
    const told = (months: number): string => {
      const values = [...rare, ...new Array<number>(months).fill(0)];
      return describeForecast(described({ values }, { trendLabel: 'intermittent' }));
    };
    expect(told(4)).toMatch(/ Demand is intermittent/);
    expect(told(22)).toMatch(/ The last demand was in December 2024\.$/);
  });

  it('does not call demand intermittent that came in most months of the last year', () => {
    const told = (year: number[]): string =>
      describeForecast(
        described(
          {
            values: [
              ...Array.from({ length: 36 }, (_, t) => (t % 5 === 0 ? 2 : 0)),
              ...new Array<number>(24).fill(0),
              ...year,
            ],
          },
          { trendLabel: 'intermittent' },
        ),
      );
    expect(told([2, 1, 0, 2, 2, 1, 1, 2, 2, 0, 1, 2, 2, 1, 2, 1, 2, 1, 2])).toMatch(
      / Demand came in 11 of the last 12 months, and less often before\.$/,
    );
  });

  it('does not call demand intermittent that came in most months since a launch', () => {
    const told = (months: number[]): string =>
      describeForecast(
        described({ values: [...new Array<number>(42).fill(0), ...months] }, { trendLabel: 'intermittent' }),
      );
    expect(told([4, 5, 4, 5, 4, 0, 4, 5, 4])).toMatch(/ Demand came in 8 of the 9 months since its first one\.$/);
    expect(told([1, 0, 1, 0, 1, 1])).not.toContain('since its first');
    expect(told([4, 0, 4, 4, 5])).not.toContain('since its first');
  });

  it('reports the direction of the forecast in place of a label still waiting for confirmation', () => {
    const values = [...steady(38, 244), 240, 228, 216, 204, 192, 180, 168, 156, 144, 130];
    const text = describeForecast(described({ values, low: 90, best: 118, high: 150 }));
    expect(text).not.toContain('stable');
    expect(text).toMatch(/(\d+ % below the same months a year before|lower than expected since)/);
  });

  it('compares the stated total with the year before', () => {
    const values = steady(48, 50);
    const text = describeForecast(described({ values, low: 50, best: 300, high: 2300, mean: 730 }));
    expect(text).toContain('Expect about 8,760 pieces in the next 12 months altogether.');
    const large = described({ values, low: 50, best: 300, high: 2300, mean: 7304.1 });
    expect(describeForecast(large)).toContain('Expect about 87,650 pieces in the next 12 months altogether.');
    expect(text).toMatch(/but the forecast lies 1,3\d\d % above the same months a year before\.$/);
  });

  it('compares the average total of counts with the year before', () => {
    const few = Array.from({ length: 48 }, (_, t) => [2, 1, 2, 3, 1, 1, 2, 1][t % 8]!);
    const text = describeForecast(described({ values: few, low: 0, best: 1, high: 3, mean: 1.6 }));
    expect(text).toMatch(/Demand is stable\.$/);
  });

  it.each([
    ['a single large order', 3000],
    ['a month out of stock', 0],
  ])('does not derive a direction of the forecast from %s in the year before', (_, odd) => {
    const values = steady(48, 100).map((value, t) => (t === 40 ? odd : value));
    const told = (best: number): string =>
      describeForecast(described({ values, low: best - 10, best, high: best + 10 }));
    expect(told(110)).toMatch(/Demand is stable\.$/);
    expect(told(150)).toMatch(
      /the forecast lies (49|50|51) % above the same months a year before, single odd months aside\.$/,
    );
  });

  it('judges whether a trend continues by the usual year, ignoring single odd months', () => {
    const values = Array.from({ length: 48 }, (_, t) => (t === 41 ? 1_800 : Math.round(100 * 1.012 ** t)));
    const growing = { values, low: 170, best: 190, high: 210 };
    expect(describeForecast(described(growing, { trendLabel: 'growth' }))).toContain(' Demand is growing.');
    const ended = { values, low: 130, best: 140, high: 150 };
    expect(describeForecast(described(ended, { trendLabel: 'growth' }))).toMatch(
      /the forecast lies \d+ % below the same months a year before, single odd months aside\.$/,
    );
  });

  it('reports no direction that contradicts the stated medians', () => {
    const skewed = { values: steady(48, 100), low: 60, best: 80, high: 240, mean: 120 };
    expect(describeForecast(described(skewed))).toContain(' Demand is stable.');
    const grown = { values: [...steady(12, 40), ...steady(12, 100)], best: 110, mean: 80 };
    expect(describeForecast(described(grown, { trendLabel: 'growth' }))).toContain(' Demand is growing.');
  });

  it('compares three months or more with the year before, which must be known', () => {
    const told = (values: number[], months: number, trendLabel: 'stable' | 'growth' = 'stable'): string => {
      const { forecast, ...rest } = described({ values, low: 140, best: 150, high: 160 }, { trendLabel });
      const [mean, quantiles] = [forecast.mean.subarray(0, months), forecast.quantiles.subarray(0, months * LEVELS)];
      return describeForecast({ ...rest, forecast: { ...forecast, mean, quantiles } });
    };
    expect(told(steady(48, 100), 3)).toMatch(/ the forecast lies (49|50|51) % above the same months a year before\.$/);
    expect(told(steady(48, 100), 2)).toMatch(/ Demand is stable\.$/);
    expect(told([...steady(24, 150), ...steady(24, 300)], 2, 'growth')).toMatch(/ Demand is growing\.$/);
    const gap = steady(48, 100).with(40, NaN);
    expect(told(gap, 12)).toMatch(/ the forecast lies (49|50|51) % above the same months a year before\.$/);
    expect(told(steady(8, 100), 6)).toMatch(/ Demand is stable\.$/);
    const { forecast, ...rest } = described({ values: steady(48, 100), low: 140, best: 150, high: 160 });
    const [mean, quantiles] = [new Float64Array(18).fill(150), new Float64Array(18 * LEVELS).fill(150)];
    expect(describeForecast({ ...rest, forecast: { ...forecast, mean, quantiles } })).toMatch(/ (49|50|51) % above /);
  });

  it('gives no percentage relative to a year of almost no demand', () => {
    const text = describeForecast(
      described({ values: [...new Array<number>(23).fill(0), 0.01], low: 9, best: 12, high: 15 }),
    );
    expect(text).toMatch(/but the forecast lies far above the same months a year before\.$/);
  });

  it('does not mistake a month of returns for a low year before', () => {
    const values = [...steady(47, 30), -200];
    expect(describeForecast(described({ values, low: 24, best: 30, high: 36 }))).toMatch(
      / More was returned than sold in November 2026: demand was -200 pieces against the 29\.5 expected\.$/,
    );
  });

  it('states the age of the latest data from four months behind the run on', () => {
    const stable = described({ values: steady(48, 200), low: 180, best: 201, high: 220 });
    expect(describeForecast({ ...stable, newestMonth: NEXT + 34 })).toMatch(
      / The last data are from November 2026, 35 months before the newest month of the run\.$/,
    );
    expect(describeForecast({ ...stable, newestMonth: NEXT + 2 })).not.toContain('last data');
  });
});
