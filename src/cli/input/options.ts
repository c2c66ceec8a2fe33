import { PLAN_NAMES } from '../../../config/plans.js';
import { CHECK_NAMES } from '../../../config/soc2.js';
import { formatRange, parseRange } from '../../../config/ip-ranges.js';
import { GRACE_NAMES } from '../../access/api-keys/issue/grace-periods.js';
import { isEmailAddress } from '../../access/users/email.js';
import { normalizeEmail } from '../../access/users/users.queries.js';
import { ATTESTATION_KIND_NAMES, OUTCOMES } from '../../compliance/attestations/attestation-kinds.js';
import { MEMBER_ROLES } from '../../platform/http/access-declaration.js';
import { parseInstant } from '../../platform/http/rules/instant.js';
import { oneOfFault } from '../../platform/http/rules/one-of.js';
import { textFault } from '../../platform/http/rules/text.js';
import { canonicalId, isId } from '../../platform/ids.js';
import { UsageError } from './usage-error.js';
import { wholeNumberOption } from './whole-number-option.js';

/** Parser of an option: returns the value or throws a {@link UsageError} that names the option. */
export function nameOption(option: string, max = 200): (text: string) => string {
  return (text) => {
    const name = text.trim();
    const fault = textFault(name, { max });
    if (fault !== undefined) throw new UsageError(`${option} ${fault}`);
    return name;
  };
}

export function switchOption(text: string): boolean {
  return oneOf('the state', text, ['on', 'off']) === 'on';
}

export function oneOf<const Value extends string>(option: string, text: string, values: readonly Value[]): Value {
  const value = values.find((known) => known === text);
  if (value === undefined) throw new UsageError(`${option} ${oneOfFault(values)}, not "${text}"`);
  return value;
}

/** The parser of an option with these values. */
export const oneOfOption =
  <const Value extends string>(option: string, values: readonly Value[]) =>
  (text: string): Value =>
    oneOf(option, text, values);

export const planOption = oneOfOption('--plan', PLAN_NAMES);
export const roleOption = oneOfOption('--role', MEMBER_ROLES);
export const gracePeriodOption = oneOfOption('--grace-period', GRACE_NAMES);
export const checkOption = oneOfOption('--check', CHECK_NAMES);
export const attestationKindOption = oneOfOption('the kind', ATTESTATION_KIND_NAMES);
export const outcomeOption = oneOfOption('--outcome', OUTCOMES);

export function emailOption(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmailAddress(email)) throw new UsageError(`"${text.slice(0, 80)}" is not an email address`);
  return email;
}

/** The format of an id, for those who gave a name instead. */
const EXAMPLE_ID = '0199d2c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f';

/** Options shared by many commands. */
export const ORGANIZATION = ['--organization <id or name>', 'the organization'] as const;
export const EMAIL = ['--email <email>', 'email of the user', emailOption] as const;

/** For options that may be repeated. */
export function rangeOption(text: string, former: readonly string[] = []): readonly string[] {
  const range = parseRange(text);
  if (!range) throw new UsageError(`--allow "${text}" is neither an address nor a CIDR range`);
  return [...former, formatRange(range)];
}

export const daysOption = wholeNumberOption('--expires-in-days', { minimum: 1, maximum: 3_650 });

/** Sequence numbers of events; 0 means before the first. */
export const sequenceOption = wholeNumberOption('--after', { minimum: 0, maximum: 2_147_483_647 });

export function idOption(option: string): (text: string) => string {
  return (text) => {
    if (!isId(text)) throw new UsageError(`${option} must be an id such as ${EXAMPLE_ID}, not "${text.slice(0, 80)}"`);
    return canonicalId(text);
  };
}

/** @returns the first day of the month */
export function monthOption(text: string): string {
  if (!/^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text)) throw new UsageError('--month must be a month such as 2026-09');
  return `${text}-01`;
}

export function instantOption(text: string): Date {
  const instant = parseInstant(text);
  if (!instant)
    throw new UsageError(`--at "${text}" is not an ISO 8601 date or date-time such as 2026-11-21T06:00:00Z`);
  return instant;
}

export function sha256Option(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new UsageError('--sha256 must be 64 lowercase hexadecimal digits');
  return text;
}

export function stripeCustomerOption(text: string): string {
  if (!/^cus_[A-Za-z0-9]{1,250}$/.test(text)) throw new UsageError(`--stripe-customer must be an id such as cus_123`);
  return text;
}
