import { withoutTrailingSlashes } from '../../../config/trailing-slashes.js';
import { type ParameterFault, Problem } from '../../platform/http/problem.js';
import { isOneLine } from '../../platform/http/rules/text.js';
import type { Platform } from '../platforms/platform.js';
import type { Field, FieldValues } from './field.js';

/** Stands for a secret in responses; sent in a PATCH, it keeps the secret. */
const REDACTED = '********';
const MAX_VALUE_LENGTH = 8_192;

/** Values split into those that may be shown and those that are sealed. */
export interface SplitFields {
  readonly settings: FieldValues;
  readonly secrets: FieldValues;
}

/**
 * Merges what a member has sent into the fields of a connector: null and '' remove a field, `********` keeps a secret. Addresses and the
 * account cannot be changed: stored orders were read from this account, and secrets must not be sent to another address.
 * @param known previous values; empty for a new connector
 * @throws {Problem} 400 naming `settings.<field>`
 */
export function readFields(
  platform: Platform,
  given: Readonly<Record<string, unknown>>,
  known: FieldValues,
): SplitFields {
  const names = platform.fields.map(({ name }) => name);
  const faults: ParameterFault[] = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => faultAt(name, `is not a field of ${platform.name}; its fields are ${names.join(', ')}`));
  const isNew = Object.keys(known).length === 0;
  const values: Record<string, string> = {};
  for (const field of platform.fields) {
    const before = known[field.name];
    const after = valueAfter(field, given[field.name], before);
    if ('fault' in after) faults.push(faultAt(field.name, after.fault));
    else if (!isNew && stays(field) && after.value !== before) {
      faults.push(faultAt(field.name, 'cannot be changed; create another connector for a different account or URL'));
    } else if (after.value !== undefined) values[field.name] = after.value;
  }
  const issued = keptToken(platform, known, values);
  if (issued === null) delete values['access_token'];
  // an invalid field is not reported as missing too
  const isGiven = (name: string): boolean =>
    values[name] !== undefined || faults.some(({ param }) => param === `settings.${name}`);
  for (const { name, unless } of platform.fields) {
    if (!unless || isGiven(name) || unless.every(isGiven)) continue;
    faults.push(faultAt(name, `is required unless ${unless.join(' and ')} are both given`));
  }
  if (faults.length > 0) throw Problem.invalid(faults);
  const { settings, secrets } = split(platform, values);
  return { settings, secrets: { ...secrets, ...issued } };
}

/** The fields as shown in a response. */
export function shownFields(platform: Platform, settings: FieldValues, secrets: FieldValues): Record<string, string> {
  return Object.fromEntries(
    platform.fields.flatMap(({ name, kind }): [string, string][] => {
      if (kind === 'secret') return secrets[name] === undefined ? [] : [[name, REDACTED]];
      return settings[name] === undefined ? [] : [[name, settings[name]]];
    }),
  );
}

const faultAt = (name: string, message: string): ParameterFault => ({ param: `settings.${name}`, message });

/** The value of a field after a change; undefined if it has none. */
function valueAfter(
  field: Field,
  sent: unknown,
  before: string | undefined,
): { readonly value: string | undefined } | { readonly fault: string } {
  const given = typeof sent === 'string' ? sent.trim() : sent; // pasted values often have surrounding blanks
  let value: string | undefined;
  if (given === undefined || (field.kind === 'secret' && given === REDACTED)) value = before ?? field.fallback;
  else if (given === null || given === '') value = field.fallback;
  else {
    const fault = faultOf(field, given);
    if (fault !== undefined) return { fault };
    value = field.kind === 'address' ? withoutTrailingSlashes(given as string) : (given as string);
  }
  return value === undefined && field.required ? { fault: 'is required' } : { value };
}

/**
 * The record that the access token was issued, with its expiry, if the change leaves it valid; null if the change replaces what the token
 * was issued for, such as the id or secret of an app. A token entered by a member has no such record.
 */
function keptToken({ fields }: Platform, known: FieldValues, after: FieldValues): FieldValues | null {
  const { access_token, access_token_expires_at = '' } = known;
  if (access_token_expires_at === '' || after['access_token'] !== access_token) return {};
  const grantors = fields.find(({ name }) => name === 'access_token')?.unless ?? [];
  return grantors.some((name) => known[name] !== after[name]) ? null : { access_token_expires_at };
}

const stays = (field: Field): boolean => field.kind === 'address' || field.identifies === true;

function split(platform: Platform, values: FieldValues): SplitFields {
  const secret = new Set(platform.fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name));
  const entries = Object.entries(values);
  return {
    settings: Object.fromEntries(entries.filter(([name]) => !secret.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => secret.has(name))),
  };
}

function faultOf({ kind, pattern }: Field, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > MAX_VALUE_LENGTH) return `must have at most ${MAX_VALUE_LENGTH} characters`;
  if (value.includes('\0') || !value.isWellFormed()) return 'must be well-formed Unicode';
  // secrets become part of headers and URLs; only a PEM key has several lines
  if (kind === 'secret') {
    if (!/^[\x20-\x7e\r\n]+$/.test(value)) return 'must be one or more printable ASCII characters';
    if (/[\r\n]/.test(value) && !value.startsWith('-----BEGIN '))
      return 'must be a single line, unless it is a PEM key';
  } else if (!isOneLine(value)) return 'must be a single line without control characters';
  if (pattern && !pattern.matches.test(value)) return pattern.says;
  if (kind === 'address' && !isAddress(value)) return 'must be a URL such as https://shop.example.com';
  return undefined;
}

/**
 * Whether the text is a web URL without query, fragment and user info: paths are appended to it, and even an empty query would swallow
 * them.
 */
function isAddress(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '';
}
