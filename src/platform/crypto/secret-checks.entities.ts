import { defineEntity, p } from '@mikro-orm/core';
import { text } from '../database/columns.js';

/** A digest made with each secret of the installation, to detect at the next start that a secret has changed. */
export const SecretCheckEntity = defineEntity({
  name: 'SecretCheck',
  tableName: 'secret_checks',
  properties: {
    /** Name of the setting. */
    name: text().primary(),
    digest: p.blob(),
  },
});

export const SECRET_CHECK_ENTITIES = [SecretCheckEntity];
