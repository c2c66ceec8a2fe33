import type { UserCaller } from '../access/index.js';

/** Who reads or writes. */
export interface Member {
  readonly id: string;
  /** Requires a second factor: a password alone must not give anyone the powers of an operator here. */
  readonly isOperator: boolean;
}

export const memberOf = (user: UserCaller): Member => ({
  id: user.userId,
  isOperator: user.isOperator && user.secondFactor,
});
