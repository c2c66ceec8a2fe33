import { describe, expect, it } from '@jest/globals';
import { forecastSeries } from './forecast-series.js';
import { poolWorkspace } from './pool-workspace.js';
import { DEFAULT_SETTINGS } from './settings.js';
import { restoreModel, type StoredModel } from './stored-model.js';
import { history, intermittentSeries, seasonalSeries } from './testing/series.js';

const SETTINGS = { ...DEFAULT_SETTINGS, horizon: 6, backtestWindows: 0 };

describe('restoreModel', () => {
  const workspace = Array.from({ length: 40 }, (_, i) =>
    history(i % 2 === 0 ? intermittentSeries(60, i + 1) : seasonalSeries(60, i + 1), { id: `s${i}` }),
  );
  workspace.push(history(seasonalSeries(8), { id: 'launched' }));
  const model = poolWorkspace(workspace, SETTINGS);
  const [origin] = (JSON.parse(JSON.stringify(model)) as StoredModel).origins;

  it('reads a model of this release as it was', () => {
    expect(restoreModel({ origins: [origin!] })).toEqual(model);
  });

  it('forecasts with a model of a release that learned less', () => {
    const { autoregression: _autoregression, calendar, gains, intermittent, shortSpreads, ...others } = origin!;
    const { months: _months, ...prior } = calendar;
    const { rates, dispersion } = intermittent;
    const { levelWeight: _levelWeight, ...spreads } = shortSpreads!;
    const stored = {
      ...others,
      calendar: prior,
      gains: gains.slice(0, -1),
      intermittent: { rates, dispersion },
      shortSpreads: spreads,
    };
    const restored = restoreModel({ origins: [stored] });
    expect(restored.origins[0]).toMatchObject({
      autoregression: null,
      calendar: { months: 0 },
      gains: [...gains.slice(0, -1), 1],
      intermittent: { learnt: null, season: null },
      shortSpreads: { ...spreads, levelWeight: 0 },
    });
    for (const one of workspace) expect(forecastSeries(one, restored, SETTINGS).kind).toBe('forecast');
  });

  it('reads the weight of the recent level beside which earlier releases stored one of 0', () => {
    const { levelWeight: _levelWeight, ...spreads } = origin!.shortSpreads!;
    const stored = { ...origin!, shortSpreads: { ...spreads, levelWeights: [0, 0.4] } };
    expect(restoreModel({ origins: [stored] }).origins[0]!.shortSpreads).toEqual({ ...spreads, levelWeight: 0.4 });
  });

  it('knows nothing of series that never sold where an earlier release did not learn it', () => {
    const { unsold: _unsold, ...learnt } = origin!.intermittent.learnt!;
    const stored = { ...origin!, intermittent: { ...origin!.intermittent, learnt } };
    expect(restoreModel({ origins: [stored] }).origins[0]!.intermittent.learnt!.unsold).toBeNull();
  });

  it('gives no series a part of the season where an earlier release had it in full or not at all', () => {
    const season = { common: new Array<number>(12).fill(1), shares: new Array<number>(9).fill(1 / 9), dispersion: 1 };
    const stored = { ...origin!, intermittent: { ...origin!.intermittent, season } };
    const { shares } = restoreModel({ origins: [stored] }).origins[0]!.intermittent.season!;
    expect(shares).toEqual([...season.shares, 0, 0, 0]);
  });

  it('takes gains that were no numbers for none', () => {
    const gains = origin!.gains.map(() => null);
    expect(new Set(restoreModel({ origins: [{ ...origin!, gains }] }).origins[0]!.gains)).toEqual(new Set([1]));
  });
});
