import { defineEntity, p } from '@mikro-orm/core';

/** A digest under each secret of the installation, to know it again by. */
export const SecretCheckEntity = defineEntity({
  name: 'SecretCheck',
  tableName: 'secret_checks',
  properties: {
    /** Of the setting. */
    name: p.string().columnType('text').primary(),
    digest: p.blob(),
  },
});

export const SECRET_CHECK_ENTITIES = [SecretCheckEntity];
