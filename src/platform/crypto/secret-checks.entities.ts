import { defineEntity, p } from '@mikro-orm/core';
import { text } from '../database/columns.js';

/** A digest made with each secret of the installation: tells at the next start whether the secret is still the same. */
export const SecretCheckEntity = defineEntity({
  name: 'SecretCheck',
  tableName: 'secret_checks',
  properties: {
    /** Of the setting. */
    name: text().primary(),
    digest: p.blob(),
  },
});

export const SECRET_CHECK_ENTITIES = [SecretCheckEntity];
