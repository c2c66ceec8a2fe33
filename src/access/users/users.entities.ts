import { defineEntity, p } from '@mikro-orm/core';
import { instant, text } from '../../platform/database/columns.js';

/** A person, who may belong to several organizations. */
export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    /** Lower case: addresses that differ only in case are the same account. */
    email: text().unique('users_email'),
    name: text(),
    /** argon2id, in PHC string format. */
    passwordHash: text(),
    /** Operators run the platform; granted only from the command line. */
    isOperator: p.boolean().default(false),
    /** TOTP secret, encrypted with the installation's key; null without a second factor. */
    totpSecret: p.blob().nullable(),
    totpConfirmedAt: instant().nullable(),
    /** Time step of the last accepted code. */
    totpLastStep: p.integer().nullable(),
    passwordChangedAt: instant(),
    createdAt: instant(),
  },
});

/** The reference of what belongs to one user: rows are deleted with the account. */
export const userReference = () =>
  p.manyToOne(UserEntity).mapToPk().fieldName('user_id').deleteRule('cascade').index(false);
