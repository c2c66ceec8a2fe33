import { later } from '../../platform/durations.js';
import type { Platform } from '../platforms/platform.js';
import type { FieldValues } from './field.js';
import type { Credentials } from './vault.js';

/** Names of the fields whose value has changed. */
export function changedFields({ fields }: Pick<Platform, 'fields'>, before: FieldValues, after: FieldValues): string[] {
  return fields.map(({ name }) => name).filter((name) => before[name] !== after[name]);
}

/** Replaced secrets that are accepted for a grace period: webhooks in transit were signed with them. */
export function formerSecrets(
  platform: Platform,
  before: Credentials,
  after: FieldValues,
  now: Date,
): Credentials['former'] {
  const replaced = platform.fields.flatMap(({ name, graceMs }): [string, { value: string; until: string }][] => {
    const value = before.values[name];
    if (graceMs === undefined || value === undefined) return [];
    if (after[name] === value) return before.former[name] ? [[name, before.former[name]]] : [];
    return [[name, { value, until: later(now, graceMs).toISOString() }]];
  });
  return Object.fromEntries(replaced);
}
