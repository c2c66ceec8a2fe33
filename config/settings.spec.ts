import { describe, expect, it } from '@jest/globals';
import { loadSettings } from './settings.js';

describe('the metrics port', () => {
  const load = (HOST: string, METRICS_HOST: string) =>
    loadSettings({ HOST, METRICS_HOST, PORT: '4000', METRICS_PORT: '4000' });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['10.0.0.1', '0.0.0.0'],
    ['::', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['::1', 'localhost'],
  ])('must differ from the API port when both would listen on the same address (%s, %s)', (host, metricsHost) => {
    expect(() => load(host, metricsHost)).toThrow('METRICS_PORT: must differ from PORT (is "4000")');
  });

  it.each([
    ['10.0.0.1', '127.0.0.1'],
    ['10.0.0.1', '10.0.0.2'],
    ['10.0.0.1', 'localhost'],
    ['::1', '127.0.0.1'],
  ])('can equal the API port when they listen on different addresses (%s, %s)', (host, metricsHost) => {
    expect(load(host, metricsHost)).toMatchObject({ PORT: 4000, METRICS_PORT: 4000 });
  });
});

describe('a numeric setting', () => {
  it.each(['', ' ', '\t'])('is unset, not zero, when blank: %j', (value) => {
    const { PORT, METRICS_PORT } = loadSettings({ PORT: value, METRICS_PORT: value });
    expect([PORT, METRICS_PORT]).toEqual([3000, undefined]);
  });

  it.each(['-1.5', '0'])('reports all violations in one message with the valid range: %s', (value) => {
    expect(() => loadSettings({ METRICS_PORT: value })).toThrow(
      new RegExp(`^METRICS_PORT: must be a whole number from 1 to 65535 \\(is "${value}"\\)$`),
    );
  });
});

describe('a text setting', () => {
  it.each([
    ['API_KEY_PEPPER', 'a-secret', 'API_KEY_PEPPER: must have at least 32 characters'],
    [
      'METER_EVENT_NAME',
      'e'.repeat(101),
      `METER_EVENT_NAME: must have at most 100 characters (is "${'e'.repeat(101)}")`,
    ],
  ])('reports the allowed length: %s', (name, value, message) => {
    expect(() => loadSettings({ [name]: value })).toThrow(new Error(message));
  });
});

describe('an enumerated setting', () => {
  it('lists the allowed values', () => {
    expect(() => loadSettings({ DEMO: 'yes' })).toThrow(/^DEMO: must be one of on, off \(is "yes"\)$/);
  });
});

describe('a server address', () => {
  it.each([
    ['DATABASE_URL', 'postgres'],
    ['DATABASE_SERVICE_URL', 'postgres'],
    ['REDIS_URL', 'redis'],
    ['SMTP_URL', 'smtp'],
  ])('in %s explains how to write a password with special characters', (name, scheme) => {
    for (const password of ['a#b', 'a/b', 'a?b'])
      expect(() => loadSettings({ [name]: `${scheme}://user:${password}@host/1` })).toThrow('percent-encoded');
    expect(() => loadSettings({ [name]: `${scheme}://user:50%zz@host/1` })).toThrow('write it as %25');
  });
});

describe('address settings', () => {
  it.each(['TRUSTED_PROXIES', 'CONNECTOR_PRIVATE_RANGES'])(
    '%s refuses ranges that could never match an address',
    (name) => {
      for (const range of ['10.1', '010.0.0.1', '0x0a000001', '10.1/16', '10.0.0.0/33', '::ffff:10.0.0.0/8', 'proxy'])
        expect(() => loadSettings({ [name]: `::1, ${range}` })).toThrow(`${name}: contains "${range}"`);
      expect(loadSettings({ [name]: '10.0.0.0/8,::1, 2001:db8::/32 ' })).toMatchObject({
        [name]: ['10.0.0.0/8', '::1', '2001:db8::/32'],
      });
    },
  );

  it.each(['PUBLIC_URL', 'OPENMETER_URL', 'STRIPE_API_URL'])('%s allows a path and drops trailing slashes', (name) => {
    expect(loadSettings({ [name]: 'https://example.com/' })).toMatchObject({ [name]: 'https://example.com' });
    expect(loadSettings({ [name]: 'https://example.com/a/b/' })).toMatchObject({ [name]: 'https://example.com/a/b' });
    for (const end of ['?a=1', '/a#b', '?'])
      expect(() => loadSettings({ [name]: `https://example.com${end}` })).toThrow(
        `${name}: must not have a query or fragment`,
      );
  });
});
