import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { FieldValues } from '../../credentials/field.js';
import { PlatformFault } from '../../platform-fault.js';
import { askForGrant } from '../oauth.js';
import type { SendUnauthorized } from '../token-endpoint.js';

/** Signature algorithms by the curve of the key; RSA keys have one of their own (The Request Token Structure). */
const ALGORITHMS: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

/** Gets an access token for a JWT signed with the key of the integration's certificate (RFC 7523): valid for an hour. */
export async function tokenByCertificate(
  values: FieldValues,
  url: string,
  send: SendUnauthorized,
): Promise<FieldValues> {
  const key = readKey(values['private_key'] ?? '');
  const alg = algorithmOf(key);
  if (alg === undefined) throw keyInvalid();
  const { SignJWT } = await import('jose'); // only NetSuite needs it: every start would load its 46 modules
  const assertion = await new SignJWT({ scope: ['rest_webservices'] })
    .setProtectedHeader({ typ: 'JWT', alg, kid: values['certificate_id']! })
    .setIssuer(values['client_id']!)
    .setAudience(url)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key)
    .catch(() => {
      throw keyInvalid(); // like a key that is too short
    });
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
    throw keyInvalid();
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  return asymmetricKeyType === 'rsa' ? 'PS256' : ALGORITHMS[asymmetricKeyDetails?.namedCurve ?? ''];
}

const keyInvalid = (): PlatformFault =>
  PlatformFault.reconnect(
    'private_key_invalid',
    'The private key cannot be used. Use an RSA, P-256, P-384 or P-521 key in PEM format, without a passphrase.',
  );
