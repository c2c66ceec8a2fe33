import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

describe('credentials in a log line', () => {
  const credentials = {
    password: 'hidden',
    api_key: 'hidden',
    token: 'hidden',
    secret: 'hidden',
    authorization: 'hidden',
    cookie: 'hidden',
    'x-api-key': 'hidden',
  };
  it.each([
    ['at the top level', credentials],
    ['one level down', { body: credentials }],
    ['two levels down', { answer: { body: credentials } }],
    ['in the request of an error', { err: Object.assign(new Error('refused'), { request: { headers: credentials } }) }],
  ])('are redacted %s', (_where, fields) => {
    let written = '';
    createLogger({ LOG_LEVEL: 'info' }, { write: (line) => (written += line) }).info(
      { ...fields, id: 'kept' },
      'a line',
    );
    expect(written.match(/\*{8}/g)).toHaveLength(Object.keys(credentials).length);
    expect(written).not.toContain('hidden');
    expect(written).toContain('kept');
  });
});
