import { describe, expect, it } from '@jest/globals';
import { loadSettings } from './settings.js';

describe('the port of the metrics', () => {
  const load = (HOST: string, METRICS_HOST: string) =>
    loadSettings({ HOST, METRICS_HOST, PORT: '4000', METRICS_PORT: '4000' });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['10.0.0.1', '0.0.0.0'],
    ['::', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['::1', 'localhost'],
  ])('is another than that of the API where both would listen on one address (%s, %s)', (host, metricsHost) => {
    expect(() => load(host, metricsHost)).toThrow('METRICS_PORT: must be another than PORT (is "4000")');
  });

  it.each([
    ['10.0.0.1', '127.0.0.1'],
    ['10.0.0.1', '10.0.0.2'],
    ['10.0.0.1', 'localhost'],
    ['::1', '127.0.0.1'],
  ])('may be that of the API where they listen on different addresses (%s, %s)', (host, metricsHost) => {
    expect(load(host, metricsHost)).toMatchObject({ PORT: 4000, METRICS_PORT: 4000 });
  });
});
