import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/test-service.js';

const LEVELS = 9;

describe('quantiles that the database unpacks from a forecast', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
  });
  afterAll(() => service.close());

  /** @param quantiles rows of nine levels */
  const derive = async (quantiles: readonly number[]) => {
    const [derived] = await service.database.query<{ bands: Buffer; band_values: number[] }>(
      'SELECT forecast_bands($1) AS bands, forecast_band_values($1) AS band_values',
      [Buffer.from(Float64Array.from(quantiles).buffer)],
    );
    const { buffer, byteOffset, byteLength } = derived!.bands;
    return {
      bytes: [...new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength))],
      values: derived!.band_values,
    };
  };

  it('are q10, q50 and q90 of each step, bit for bit', async () => {
    const smallest = 2 ** -1022;
    const edges = [0, 1, 0.1, 1 / 3, 204.57, smallest, 2 ** 53 - 1, 2 ** 53, Number.MAX_VALUE];
    // an odd factor moves every bit of the mantissa through all places
    const spread = Array.from({ length: 4 * LEVELS }, (_, index) => 1.000_000_1 ** (7 ** (index % 9)) * 3 ** index);
    const quantiles = [...edges, ...[...edges].reverse(), ...spread];
    const expected = quantiles.filter((_, index) => [0, 4, 8].includes(index % LEVELS));
    expect(await derive(quantiles)).toEqual({ bytes: expected, values: expected });
    const shifted = [...quantiles.slice(1), 7];
    const ofShifted = shifted.filter((_, index) => [0, 4, 8].includes(index % LEVELS));
    expect(await derive(shifted)).toEqual({ bytes: ofShifted, values: ofShifted });
  });

  it('equal a single number bit for bit, and end after the last', async () => {
    const numbers = [0, 2 ** -1022, 0.1, 1 / 3, 204.57, 2 ** 53, Number.MAX_VALUE];
    const rows = await service.database.query<{ number: number | null }>(
      'SELECT packed_double($1, 8 * step) AS number FROM generate_series(0, $2::int) AS step',
      [Buffer.from(Float64Array.from(numbers).buffer), numbers.length],
    );
    expect(rows.map(({ number }) => number)).toEqual([...numbers, null]);
  });

  it('are empty without a step', async () => {
    expect(await derive([])).toEqual({ bytes: [], values: [] });
  });
});
