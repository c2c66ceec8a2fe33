import { z } from 'zod';
import { SECRET_SETTINGS, settingsSchema } from './settings.js';

/** docs/settings.md: every setting with its default and its range, from the schema itself, so that it cannot be out of date. */
export function settingsTable(): string {
  const defaults = settingsSchema.partial().parse({}) as Readonly<Record<string, unknown>>;
  const rows = Object.entries(settingsSchema.shape).map(([name, field]) => {
    const fallback = name === 'DATA_DIR' ? '.data' : defaults[name];
    const shown =
      fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)
        ? '–'
        : `\`${JSON.stringify(fallback).replaceAll('"', '')}\``;
    return `| \`${name}\` | ${shown} | ${rangeOf(field)} | ${field.description ?? ''}${SECRET_SETTINGS.has(name) ? ' Secret: never logged.' : ''} |`;
  });
  return [
    '# Settings',
    '',
    'Settings are environment variables. They are validated at start; every fault is named at once, and the process ends. All processes of an installation,',
    'and its commands, must have the same `API_KEY_PEPPER`, `ENCRYPTION_KEY` and `REDIS_URL` and use the same database ([operating.md](operating.md)).',
    '',
    'This table is written by `npm run docs`. A default of – means that the setting is not given. Settings with a range are whole numbers.',
    '',
    '| name | default | range | what it is |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** What a number may be; empty for other settings. */
function rangeOf(field: z.ZodType): string {
  const { minimum, maximum } = z.toJSONSchema(field, { unrepresentable: 'any' });
  return minimum === undefined ? '' : `${minimum} to ${maximum}`;
}
