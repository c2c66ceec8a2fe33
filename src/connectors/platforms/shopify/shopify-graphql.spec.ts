import { describe, expect, it } from '@jest/globals';
import type { ApiSession } from '../api-session.js';
import { askGraphql } from './shopify-graphql.js';

const asked = (body: object): Promise<unknown> =>
  askGraphql({ json: () => Promise.resolve({ body }) } as unknown as ApiSession, 'https://example.com', {
    query: '{}',
  });

describe('an answer of Shopify', () => {
  it.each([{}, { data: null }, { errors: [] }])('without data or an error, as %j, is retried', async (body) => {
    await expect(asked(body)).rejects.toMatchObject({ kind: 'passing', code: 'malformed_reply' });
  });

  it.each([{ errors: 'Not Found' }, { errors: [{ message: 'Field does not exist' }], data: null }])(
    'with an error, as %j, is a refusal',
    async (body) => {
      await expect(asked(body)).rejects.toMatchObject({ kind: 'refused', code: 'request_refused' });
    },
  );
});
