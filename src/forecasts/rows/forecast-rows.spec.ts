import { describe, expect, it } from '@jest/globals';
import type { ForecastSpan } from '../forecast-page.js';
import { rowsAsCsv, rowsAsJson } from './forecast-rows.js';

const HORIZON = 12;

const span = (index: number, metadata: object): ForecastSpan => ({
  forecast: {
    seriesId: `id-${index}`,
    uniqueId: `SKU-${index}`,
    productName: null,
    category: null,
    unit: null,
    metadata: JSON.stringify(metadata),
    model: 'theta',
    firstMonth: 24_300,
    horizon: HORIZON,
    bands: new Float64Array(3 * HORIZON).fill(1.5),
    mean: new Float64Array(HORIZON).fill(1.5),
  },
  first: 0,
  last: HORIZON - 1,
});

describe('forecast rows', () => {
  it('take little more memory than their text when the first series is far longer than the others', () => {
    const note = 'x'.repeat(100_000);
    const spans = Array.from({ length: 834 }, (_, index) => span(index, index === 0 ? { note } : {}));
    const text = rowsAsJson(spans);
    const rows = JSON.parse(text.toString()) as { unique_id: string; metadata: { note?: string } }[];
    expect([rows.length, rows[0]?.metadata.note, rows.at(-1)?.unique_id]).toEqual([834 * HORIZON, note, 'SKU-833']);
    expect(text.buffer.byteLength).toBeLessThan(8_000_000);
  });

  it('quote texts in CSV, and have the columns of the header', () => {
    const { forecast } = span(1, { note: 'a, "b"' });
    const texts = { uniqueId: 'A,1', productName: 'Mug "large"', category: 'Cups, mugs', unit: 'kg\nnet' };
    const spans = [{ forecast: { ...forecast, ...texts }, first: 11, last: 11 }];
    const metadata = String.raw`"{""note"":""a, \""b\""""}"`;
    const described = `"Mug ""large""","Cups, mugs","kg\nnet",theta,${metadata},1.5`;
    expect(rowsAsCsv(spans).toString().split('\r\n')).toEqual([
      'unique_id,ds,q10,q50,q90,product_name,category,unit,model,metadata,mean',
      `"A,1",2025-12-01,1.5,1.5,1.5,${described}`,
      '',
    ]);
    expect(
      rowsAsCsv(spans, () => 2)
        .toString()
        .split('\r\n'),
    ).toEqual([
      'unique_id,ds,q10,q50,q90,final,product_name,category,unit,model,metadata,mean',
      `"A,1",2025-12-01,1.5,1.5,1.5,2,${described}`,
      '',
    ]);
  });
});
