import { hash } from 'node:crypto';
import { PLANS, type PlanName } from '../../../config/plans.js';
import { addressBlock } from '../network/address-block.js';

/** A key to count attempts by, and how many may fail before wait times begin, which then double. */
export interface AttemptSubject {
  readonly subject: Buffer;
  readonly free: number;
}

const FREE_PER_ACCOUNT = 5;
const FREE_PER_ADDRESS = 30;
const MIN_INVITATIONS = 30;

/** The keys by which the passwords of people who are not signed in are counted. */
export type PasswordSubjects = readonly [account: AttemptSubject, address: AttemptSubject];

/**
 * Attempts are counted by account and address together, so that an attacker cannot lock out the owner elsewhere, and by address
 * alone, to stop attempts on many accounts.
 */
export function signInSubjects(email: string, address: string): PasswordSubjects {
  const from = addressBlock(address);
  return [
    { subject: digest(`account ${email} ${from}`), free: FREE_PER_ACCOUNT },
    { subject: digest(`address ${from}`), free: FREE_PER_ADDRESS },
  ];
}

/** Password reset requests are counted by account, whose owner gets the emails, and by address. */
export function resetSubjects(email: string, address: string): PasswordSubjects {
  return [
    { subject: digest(`reset ${email}`), free: FREE_PER_ACCOUNT },
    { subject: digest(`reset from ${addressBlock(address)}`), free: FREE_PER_ADDRESS },
  ];
}

/** Invitations from an organization to one address: each is an unsolicited email. */
export function invitationSubject(organizationId: string, email: string): AttemptSubject {
  return { subject: digest(`invitation ${organizationId} ${email}`), free: FREE_PER_ACCOUNT };
}

/**
 * Invitations from an organization to any address: the plan does not limit their number, because revoked ones do not count as members. A
 * whole organization can be invited at once.
 */
export function invitingSubject(organizationId: string, plan: PlanName): AttemptSubject {
  const allowed = Math.max(MIN_INVITATIONS, PLANS[plan].members);
  return { subject: digest(`inviting ${organizationId}`), free: allowed - 1 }; // the last of them begins the wait
}

/** Links to new addresses that a user requests: each may be an unsolicited email. */
export function emailChangeSubject(userId: string): AttemptSubject {
  return { subject: digest(`email change ${userId}`), free: FREE_PER_ACCOUNT };
}

/** Guesses of the current password by someone with a session, which may be stolen. */
export function passwordSubject(userId: string): AttemptSubject {
  return { subject: digest(`password ${userId}`), free: FREE_PER_ACCOUNT };
}

/** By account alone: whoever guesses codes knows the password, and may come from many addresses. */
export function codeSubject(userId: string): AttemptSubject {
  return { subject: digest(`code ${userId}`), free: FREE_PER_ACCOUNT };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
