import { Inject, Injectable } from '@nestjs/common';
import { seal, unseal } from '../../platform/crypto/sealed-box.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import { SECRETS } from '../../platform/platform.module.js';
import type { StoredConnector } from '../connector.js';
import { PlatformFault } from '../platform-fault.js';

/** The secrets of a connector. */
export interface Credentials {
  /** Secret fields and the tokens issued for them, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Recently replaced values, still accepted until an instant (ISO 8601) for webhooks that were signed with them. */
  readonly former: Readonly<Record<string, { readonly value: string; readonly until: string }>>;
}

type SealedConnector = Pick<StoredConnector, 'connectorId' | 'sealed'>;

/** The fault of a connector whose credentials cannot be decrypted. */
export const credentialsUnreadable = (): PlatformFault =>
  PlatformFault.reconnect(
    'credentials_unreadable',
    'The service can no longer read the stored credentials. Enter them again.',
  );

/** Seals credentials with the connector's id as associated data, so that they cannot be opened in another connector's row. */
@Injectable()
export class Vault {
  constructor(@Inject(SECRETS) private readonly secrets: Secrets) {}

  seal(connectorId: string, credentials: Credentials): Buffer {
    return seal(Buffer.from(JSON.stringify(credentials)), this.secrets.encryptionKey, connectorId);
  }

  /** @throws {PlatformFault} asking to reconnect, if sealed for another connector or with another key */
  open(connector: SealedConnector): Credentials {
    const credentials = this.tryOpen(connector);
    if (!credentials) throw credentialsUnreadable();
    return credentials;
  }

  /** As {@link open}; undefined if they cannot be opened, for instance after the loss of `ENCRYPTION_KEY`. */
  tryOpen({ connectorId, sealed }: SealedConnector): Credentials | undefined {
    let opened: Buffer;
    try {
      opened = unseal(sealed, this.secrets.encryptionKey, connectorId);
    } catch {
      return undefined;
    }
    return JSON.parse(opened.toString()) as Credentials;
  }
}
