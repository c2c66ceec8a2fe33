import type { FieldValues } from '../credentials/field.js';
import { PlatformFault } from '../platform-fault.js';
import type { SendUnauthorized } from './token-endpoint.js';

/** Sends a token request (RFC 6749). @param basic the client's id and secret, if it authenticates in the header */
export async function askForGrant(
  send: SendUnauthorized,
  url: string,
  grant: Readonly<Record<string, string>>,
  basic?: { readonly id: string; readonly secret: string },
): Promise<FieldValues> {
  const credentials = basic && Buffer.from(`${basic.id}:${basic.secret}`).toString('base64');
  const headers = credentials === undefined ? {} : { authorization: `Basic ${credentials}` };
  return issuedTokens(await send({ url, headers, form: grant }));
}

/** Renews tokens with the refresh token (RFC 6749 section 6); the client authenticates in the header. */
export function renewByRefreshToken(values: FieldValues, send: SendUnauthorized): Promise<FieldValues> {
  return askForGrant(
    send,
    values['token_url']!,
    { grant_type: 'refresh_token', refresh_token: values['refresh_token']! },
    { id: values['client_id']!, secret: values['client_secret']! },
  );
}

/** The tokens issued by a token endpoint, as fields to store. @throws {PlatformFault} passing, if it has issued none */
export function issuedTokens(issued: Readonly<Record<string, unknown>>): FieldValues {
  const { access_token, refresh_token, expires_in } = issued;
  if (typeof access_token !== 'string' || access_token === '') {
    throw PlatformFault.passing('malformed_reply', 'The token endpoint answered without an access token.');
  }
  const seconds = Number(expires_in);
  return {
    access_token,
    ...(typeof refresh_token === 'string' ? { refresh_token } : {}),
    access_token_expires_at: seconds > 0 ? new Date(Date.now() + seconds * 1_000).toISOString() : '',
  };
}

export const bearer = (values: FieldValues): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${values['access_token'] ?? ''}`,
});
