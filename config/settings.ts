import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { withoutTrailingSlashes } from './trailing-slashes.js';
import { parseRange } from './ip-ranges.js';

/** Parses text from the environment as an integer. */
const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(error).int(error).min(least, error).max(most, error);
};
const oneOf = <Name extends string>(...names: readonly Name[]) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });
const MAX_PORT = 65_535;
/** Maximum of `RUN_LEASE_MS`. */
export const MAX_LEASE_MS = 600_000;
const url = (protocols: readonly string[], otherwise = '') =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be a URL starting with ${protocols.join(':// or ')}://${otherwise}`,
  });
/** The address of a server, including credentials. */
const loginUrl = (...protocols: string[]) =>
  url(
    protocols,
    ', with a single host, and with special characters in user and password percent-encoded (# as %23)',
  ).refine((address) => !/%(?![0-9a-f]{2})/i.test(address), 'has a % that is not part of an encoding; write it as %25');
/** A base URL to which paths are appended: any trailing slash is stripped. */
const baseUrl = () =>
  url(['http', 'https'])
    .refine((address) => !/[?#]/.test(address), 'must not have a query or fragment')
    .transform(withoutTrailingSlashes);
const addressRanges = z
  .string()
  .default('')
  .transform((list, context) => {
    const entries = list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    for (const entry of entries) {
      if (parseRange(entry) === undefined) {
        context.addIssue({
          code: 'custom',
          message: `contains "${entry}", which is neither an address nor a CIDR range`,
        });
      }
    }
    return entries;
  });
const statementSeconds = (most: number) => wholeNumber(1, 86_400).default(most);
const perHour = (most: number) => wholeNumber(1, 100_000).default(most);

/**
 * All settings of the service: the only place that reads the environment. The table in docs/settings.md is generated from the
 * descriptions below (`npm run docs`).
 */
export const settingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('Address that the HTTP server listens on.'),
  PORT: wholeNumber(0, MAX_PORT)
    .default(3000)
    .describe('Port that the HTTP server listens on; 0 selects any free port.'),
  METRICS_PORT: wholeNumber(1, MAX_PORT)
    .optional()
    .describe(
      'Port for Prometheus metrics, served at /metrics. If not set, metrics are not served. On the same address, it must differ from PORT.',
    ),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that metrics are served on. Use one that operators can reach and clients cannot.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(path))
    .describe('Directory for the embedded database and the generated secrets.'),
  DATABASE_URL: loginUrl('postgres', 'postgresql')
    .optional()
    .describe('PostgreSQL 14 or newer to use instead of the embedded database. The role in this URL owns the tables.'),
  DATABASE_SERVICE_URL: loginUrl('postgres', 'postgresql')
    .optional()
    .describe(
      'The same database with a login that has no other privileges, which the service then works as. Set it if the role of DATABASE_URL is not allowed to create roles.',
    ),
  REDIS_URL: loginUrl('redis', 'rediss').optional().describe('Redis to use for the queue instead of PostgreSQL.'),
  PUBLIC_URL: baseUrl()
    .optional()
    .describe(
      'URL at which clients reach the service. Required for connector webhooks and links in emails. It may have a path, which the proxy must remove.',
    ),
  TRUSTED_PROXIES: addressRanges.describe(
    'Comma-separated addresses or CIDR ranges of the proxies whose X-Forwarded-For header is trusted.',
  ),
  DEMO: oneOf('on', 'off')
    .default('on')
    .describe(
      '`off` leaves an empty database empty instead of loading the demo organization, and does not print the API key of an existing demo.',
    ),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .optional()
    .describe(
      'Lowest severity that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent` for no log. Default: `info`, or `warn` in a terminal.',
    ),
  WORKER_THREADS: wholeNumber(1, 64)
    .optional()
    .describe('Number of threads per process that fit series. Default: one per core, at most 8.'),
  DATABASE_POOL: wholeNumber(2, 200)
    .default(16)
    .describe(
      'Maximum number of database connections per process. With 2 or 3, one organization that sends more than a million rows slowly keeps others from doing so meanwhile.',
    ),
  REQUEST_STATEMENT_SECONDS: statementSeconds(60).describe(
    'Maximum number of seconds for a database statement of a request. After that, the request is answered with 503 `not_ready`.',
  ),
  WORK_STATEMENT_SECONDS: statementSeconds(1_800).describe(
    'Maximum number of seconds for a database statement of background work (runs, imports, retention, syncs), an upload, a deletion or a compliance check. After that, the statement is aborted; background work is retried. Migrations have no limit.',
  ),
  REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000_000)
    .default(6_000)
    .describe(
      'Maximum number of requests per minute that one process accepts from an API key, user or address. Further requests are answered with 429.',
    ),
  API_KEY_PEPPER: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'Secret that API keys are hashed with: at least 32 characters, for example from `openssl rand -hex 32`. Generated in DATA_DIR if not set. Must never change.',
    ),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .optional()
    .describe(
      'Key that stored credentials are encrypted with (AES-256-GCM): 64 hexadecimal digits, for example from `openssl rand -hex 32`. Generated in DATA_DIR if not set. Must never change.',
    ),
  MAX_UPLOAD_MB: wholeNumber(1, 4_096).default(512).describe('Maximum size of a demand upload, decompressed.'),
  ASYNC_UPLOAD_MB: wholeNumber(1, 4_096)
    .default(64)
    .describe(
      'Uploads with a Content-Length larger than this are answered with 202 and processed in the background. Others are processed during the request, unless it has `Prefer: respond-async`.',
    ),
  RUN_LEASE_MS: wholeNumber(5_000, MAX_LEASE_MS)
    .default(5_000)
    .describe(
      'Milliseconds after which the work of a dead worker is taken over. For the second takeover of the same work on a run it is twice as long, for the third three times, and so on, up to ten minutes.',
    ),
  CONNECTOR_PRIVATE_RANGES: addressRanges.describe(
    'Comma-separated private addresses or CIDR ranges that connectors may reach, for a shop or ERP system in your own network.',
  ),
  CONNECTOR_PLAIN_HTTP: oneOf('on', 'off')
    .default('off')
    .describe(
      '`on` also lets connectors send credentials over http://. Intended for addresses in CONNECTOR_PRIVATE_RANGES.',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'If set, runs beyond the quota are reported to Stripe as meter events. If neither this nor OPENMETER_URL is set, there is no overage.',
    ),
  STRIPE_API_URL: baseUrl().default('https://api.stripe.com').describe('URL of the Stripe API.'),
  OPENMETER_URL: baseUrl()
    .optional()
    .describe('URL of an OpenMeter that runs beyond the quota are reported to if Stripe is not configured.'),
  OPENMETER_API_KEY: z.string().min(1).optional().describe('API token for OpenMeter.'),
  METER_EVENT_NAME: z
    .string()
    .min(1)
    .max(100, 'must have at most 100 characters')
    .default('forecast_run_overage')
    .describe('Name of the meter event: `event_name` in Stripe, `type` in OpenMeter.'),
  SMTP_URL: loginUrl('smtp', 'smtps')
    .optional()
    .describe(
      'Mail server for invitations, password reset links and notices, as smtp://user:password@host:587. Requires SMTP_FROM and PUBLIC_URL. If not set, no email is sent.',
    ),
  SMTP_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/, 'must be an address such as Forecasts <no-reply@example.com>')
    .optional()
    .describe('Sender of emails, such as Forecasts <no-reply@example.com>.'),
  COMMUNITY_TOPICS_PER_HOUR: perHour(60).describe('Maximum number of forum topics that a user may create per hour.'),
  COMMUNITY_REPLIES_PER_HOUR: perHour(300).describe('Maximum number of forum replies that a user may write per hour.'),
  COMMUNITY_REPORTS_PER_HOUR: perHour(60).describe('Maximum number of forum posts that a user may report per hour.'),
});

export type Settings = Readonly<z.output<typeof settingsSchema>>;

/** Names of settings whose values must never be printed. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set<keyof Settings>([
  'DATABASE_URL',
  'DATABASE_SERVICE_URL',
  'REDIS_URL',
  'API_KEY_PEPPER',
  'ENCRYPTION_KEY',
  'STRIPE_SECRET_KEY',
  'OPENMETER_API_KEY',
  'SMTP_URL',
]);

/** An invalid configuration; `message` has one line per error. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads and validates the settings.
 * @param environment usually `process.env`; empty and blank values count as not set
 * @throws {SettingsError} naming all errors at once, without the values of secrets
 */
export function loadSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = settingsSchema.safeParse(given);
  if (parsed.success) {
    const faults = faultsTogether(parsed.data);
    if (faults.length === 0) return parsed.data;
    throw new SettingsError(faults.join('\n'));
  }
  const faults = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const value = SECRET_SETTINGS.has(name) ? '' : ` (is "${given[name] ?? ''}")`;
    return `${name}: ${issue.message}${value}`;
  });
  throw new SettingsError([...new Set(faults)].join('\n')); // a number may violate several rules with the same wording
}

/** Settings that must be given together: email needs a sender and a public URL, a service login needs a database. */
const TOGETHER = [
  ['SMTP_FROM', 'SMTP_URL'],
  ['PUBLIC_URL', 'SMTP_URL'],
  ['DATABASE_URL', 'DATABASE_SERVICE_URL'],
] as const;

/** Errors in combinations of settings that are each valid. */
function faultsTogether(settings: Settings): string[] {
  const missing = TOGETHER.filter(([needed, given]) => settings[given] !== undefined && settings[needed] === undefined);
  return [
    ...missing.map(([needed, given]) => `${needed}: is required if ${given} is set`),
    ...(settings.METRICS_PORT === settings.PORT && overlap(settings.METRICS_HOST, settings.HOST)
      ? [`METRICS_PORT: must differ from PORT (is "${settings.PORT}"), or METRICS_HOST must differ from HOST`]
      : []),
  ];
}

/** Whether two listeners would conflict over the same port. `localhost` may be any loopback address. */
function overlap(one: string, other: string): boolean {
  if (one === other) return true;
  const ranges = [one, other].map(rangeOf);
  if (ranges.includes('unspecified')) return true;
  return [one, other].includes('localhost') && ranges.every((range) => range === 'loopback');
}

function rangeOf(host: string): string | undefined {
  if (host === 'localhost') return 'loopback';
  return ipaddr.isValid(host) ? ipaddr.process(host).range() : undefined;
}
