import { withoutTrailingSlashes } from '../../../config/trailing-slashes.js';
import type { Platform } from '../platforms/platform.js';
import type { Field, FieldValues } from './field.js';

/** The platform account that the settings identify, normalized so that different spellings of its address are equal. */
export function accountOf({ fields }: Pick<Platform, 'fields'>, settings: FieldValues): string {
  return fields
    .filter(({ identifies }) => identifies === true)
    .map((field) => normalized(field, settings[field.name] ?? ''))
    .join(' ');
}

function normalized({ kind }: Field, value: string): string {
  if (kind !== 'address') return value.toLowerCase();
  const { host, pathname } = new URL(value);
  return withoutTrailingSlashes(host + pathname).toLowerCase();
}
