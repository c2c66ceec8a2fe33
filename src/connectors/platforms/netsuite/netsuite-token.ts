import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { FieldValues } from '../../field.js';
import { PlatformFault } from '../../platform-fault.js';
import type { SendUnauthorized } from '../api-session.js';
import { askForGrant } from '../oauth.js';

/** Gets an access token for a JWT signed with the key of the integration's certificate (RFC 7523): good for an hour. */
export async function tokenByCertificate(
  values: FieldValues,
  url: string,
  send: SendUnauthorized,
): Promise<FieldValues> {
  const key = readKey(values['private_key'] ?? '');
  const assertion = await new SignJWT({ scope: ['rest_webservices'] })
    .setProtectedHeader({
      typ: 'JWT',
      alg: key.asymmetricKeyType === 'ec' ? 'ES256' : 'PS256',
      kid: values['certificate_id']!,
    })
    .setIssuer(values['client_id']!)
    .setAudience(url)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key);
  return askForGrant(send, url, {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  });
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw PlatformFault.reconnect(
      'private_key_invalid',
      'The private key cannot be read: give it in PEM, without a passphrase.',
    );
  }
}
