import type { ParameterFault } from '../platform/http/problem.js';
import { Problem } from '../platform/http/problem.js';
import type { Field, FieldValues } from './field.js';
import type { Platform } from './platforms/platform.js';

/** What stands in a reply for a secret, and in a PATCH for "as it was". */
export const REDACTED = '********';
const LONGEST_VALUE = 8_192;

/** Values apart: what may be shown, and what is sealed. */
export interface SplitFields {
  readonly settings: FieldValues;
  readonly secrets: FieldValues;
}

/**
 * The fields of a connector after what a member has sent: null and '' remove a field, `********` keeps a secret.
 * Addresses and the account stay: what is stored was read of this account, and secrets that others typed in go nowhere else.
 * @param known values before, none for a new connector
 * @throws {Problem} 400 naming `settings.<field>`
 */
export function readFields(
  platform: Platform,
  given: Readonly<Record<string, unknown>>,
  known: FieldValues,
): SplitFields {
  const faults: ParameterFault[] = [];
  const refuse = (name: string, message: string): void => void faults.push({ param: `settings.${name}`, message });
  for (const name of Object.keys(given)) {
    if (!platform.fields.some((field) => field.name === name)) {
      refuse(
        name,
        `is not a field of ${platform.name}, which has ${platform.fields.map((field) => field.name).join(', ')}`,
      );
    }
  }
  const kept = new Map<string, string>();
  for (const field of platform.fields) {
    const value = pasted(given[field.name]);
    if (value === undefined || (field.kind === 'secret' && value === REDACTED)) {
      const before = known[field.name] ?? field.fallback;
      if (before !== undefined) kept.set(field.name, before);
    } else if (value === null || value === '') {
      if (field.fallback !== undefined) kept.set(field.name, field.fallback);
    } else {
      const fault = faultOf(field, value);
      if (fault !== undefined) refuse(field.name, fault);
      else kept.set(field.name, field.kind === 'address' ? withoutSlash(value as string) : (value as string));
    }
    if (field.required && !kept.has(field.name) && !faults.some(({ param }) => param === `settings.${field.name}`)) {
      refuse(field.name, 'must be given');
    }
  }
  for (const field of Object.keys(known).length > 0 ? platform.fields : []) {
    if (!stays(field) || kept.get(field.name) === known[field.name]) continue;
    if (!faults.some(({ param }) => param === `settings.${field.name}`)) {
      refuse(field.name, 'stays as it is: make another connector for another account or address');
    }
  }
  if (faults.length > 0) throw Problem.invalid(faults);
  return split(platform, Object.fromEntries(kept));
}

/** The fields as a reply shows them. */
export function shownFields(platform: Platform, settings: FieldValues, secrets: FieldValues): Record<string, string> {
  return Object.fromEntries(
    platform.fields.flatMap(({ name, kind }): [string, string][] => {
      if (kind === 'secret') return secrets[name] === undefined ? [] : [[name, REDACTED]];
      return settings[name] === undefined ? [] : [[name, settings[name]]];
    }),
  );
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
  if (value.length > LONGEST_VALUE) return `must have at most ${LONGEST_VALUE} characters`;
  if (value.includes('\0') || !value.isWellFormed()) return 'must be well-formed Unicode';
  // headers and URLs are made of them; a key in PEM has lines
  if (kind === 'secret') {
    if (!/^[\x20-\x7e\r\n]+$/.test(value)) return 'must be one or more printable ASCII characters';
    if (/[\r\n]/.test(value) && !value.startsWith('-----BEGIN ')) return 'must be one line, unless it is a key in PEM';
  } else if (/[\u0000-\u001f\u007f]/.test(value)) return 'must not hold control characters';
  if (pattern && !pattern.matches.test(value)) return pattern.says;
  if (kind === 'address') {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const plain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
    if (!plain || !['https:', 'http:'].includes(url.protocol))
      return 'must be an address such as https://shop.example.com';
  }
  return undefined;
}

/** Text without what a clipboard brings along on either side. */
const pasted = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
