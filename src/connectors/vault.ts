import { Inject, Injectable } from '@nestjs/common';
import { seal, unseal } from '../platform/crypto/sealed-box.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import { SECRETS } from '../platform/platform.module.js';

/** What of a connector is secret. */
export interface Credentials {
  /** Secret fields, and tokens that were issued for them, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** Values that were replaced a moment ago and are still good for what was signed with them; instants in ISO 8601. */
  readonly former: Readonly<Record<string, { readonly value: string; readonly until: string }>>;
}

/** Seals credentials with the connector as associated data: moved to another connector's row they do not open. */
@Injectable()
export class Vault {
  constructor(@Inject(SECRETS) private readonly secrets: Secrets) {}

  seal(connectorId: string, credentials: Credentials): Buffer {
    return seal(Buffer.from(JSON.stringify(credentials)), this.secrets.encryptionKey, connectorId);
  }

  /** @throws when sealed for another connector or under another key */
  open({ connectorId, sealed }: { readonly connectorId: string; readonly sealed: Buffer }): Credentials {
    return JSON.parse(unseal(sealed, this.secrets.encryptionKey, connectorId).toString()) as Credentials;
  }
}
