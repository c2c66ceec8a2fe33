import { defineEntity, p } from '@mikro-orm/core';
import { text } from '../database/columns.js';

/** A digest under each secret of the installation, to know it again by. */
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
