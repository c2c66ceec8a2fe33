import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from './paths.js';

const numbered = (prefix: string, last: number): string[] =>
  Array.from({ length: last }, (_, index) => `${prefix}.${index + 1}`);

/** Ids of the trust services criteria, by the family under which a report groups them; their text is not ours to print. */
export const CRITERIA_FAMILIES: readonly { readonly name: string; readonly ids: readonly string[] }[] = [
  { name: 'Control environment', ids: numbered('CC1', 5) },
  { name: 'Communication and information', ids: numbered('CC2', 3) },
  { name: 'Risk assessment', ids: numbered('CC3', 4) },
  { name: 'Monitoring activities', ids: numbered('CC4', 2) },
  { name: 'Control activities', ids: numbered('CC5', 3) },
  { name: 'Logical and physical access', ids: numbered('CC6', 8) },
  { name: 'System operations', ids: numbered('CC7', 5) },
  { name: 'Change management', ids: numbered('CC8', 1) },
  { name: 'Risk mitigation', ids: numbered('CC9', 2) },
  { name: 'Availability', ids: numbered('A1', 3) },
  { name: 'Confidentiality', ids: numbered('C1', 2) },
  { name: 'Processing integrity', ids: numbered('PI1', 5) },
  {
    name: 'Privacy',
    ids: [1, 1, 2, 3, 2, 7, 1, 1].flatMap((last, index) => numbered(`P${index + 1}`, last)),
  },
];
const CRITERIA = CRITERIA_FAMILIES.flatMap((family) => family.ids);

/** Checks that the service runs on itself (src/compliance/checks). */
export const CHECK_NAMES = [
  'second_factor_operators',
  'second_factor_admins',
  'access_reviewed',
  'operator_access_reviewed',
  'leavers_removed',
  'sessions_end',
  'credentials_hashed',
  'api_keys_rotated',
  'api_keys_allowlisted',
  'sealed_secrets',
  'secrets_private',
  'audit_chain',
  'audit_activity',
  'row_level_security',
  'retention_enforced',
  'deletions_done',
  'agreements_accepted',
  'migrations_applied',
  'tls_public_url',
  'uptime',
  'work_not_stuck',
  'backup_recent',
  'restore_drill',
  'dependency_scan',
  'release_ci',
  'incident_review',
  'vendor_review',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** Agreements that an organization accepts. */
export const AGREEMENT_NAMES = ['data_processing_agreement', 'privacy_notice'] as const;
export type AgreementName = (typeof AGREEMENT_NAMES)[number];

const text = z.string().trim().min(1);
const days = z.int().min(1).max(3_650);
const hours = z.int().min(1).max(8_760);
const percent = z.number().min(0).max(100);

const policySchema = z.strictObject({
  second_factor_percent: percent,
  access_review_days: days,
  api_key_age_days: days,
  allowlisted_keys_percent: percent,
  audit_activity_hours: hours,
  /** Maximum delay in hours of the deletion of data, or of an organization. */
  sweep_hours: hours,
  stuck_work_hours: hours,
  uptime_days: days.max(365),
  uptime_percent: percent,
  /** Hours of observation needed before uptime can be reported. */
  uptime_least_hours: hours,
  backup_days: days,
  restore_drill_days: days,
  dependency_scan_days: days,
  incident_review_days: days,
  vendor_review_days: days,
});
/**
 * The subject of a check, which determines what an organization learns about it. `organization`: what customers do; in an
 * organization's readiness it is evaluated for that one alone. `operator`: the operator's own actions; the findings name no
 * customer. `installation`: what the service does with everyone's rows, or what would help an intruder; a customer learns only
 * whether it holds.
 */
const CHECK_SUBJECTS = ['organization', 'operator', 'installation'] as const;

const checkSchema = z.strictObject({
  title: text,
  /** What must hold; `{backup_days}` stands for that number of the policy. */
  asks: text,
  /** What must additionally hold when all organizations are judged together: no single one could answer for it. */
  asks_of_all: text.optional(),
  about: z.enum(CHECK_SUBJECTS),
  /** Hours after which a result no longer counts as evidence. */
  fresh_hours: hours,
});
const ofControl = { id: text, criteria: z.array(z.enum(CRITERIA)).min(1), title: text, statement: text };
const controlSchema = z.discriminatedUnion('automated', [
  z.strictObject({ ...ofControl, automated: z.literal(true), checks: z.array(z.enum(CHECK_NAMES)).min(1) }),
  /** `instead`: what an auditor is shown if no check can tell. */
  z.strictObject({ ...ofControl, automated: z.literal(false), instead: text }),
]);
/** `url`: where the text is published; without it nobody can tell what was accepted. */
const agreementSchema = z.strictObject({ title: text, version: text, url: z.url().optional() });

const PLACEHOLDER = /\{(\w+)\}/g;

type Judged = 'one' | 'all';

const wording = ({ asks, asks_of_all }: z.output<typeof checkSchema>, judged: Judged): string =>
  judged === 'one' || asks_of_all === undefined ? asks : `${asks} ${asks_of_all}`;

const catalogSchema = z
  .strictObject({
    policy: policySchema,
    agreements: z.record(z.enum(AGREEMENT_NAMES), agreementSchema),
    checks: z.record(z.enum(CHECK_NAMES), checkSchema),
    controls: z.array(controlSchema),
  })
  .superRefine(({ policy, checks, controls }, context) => {
    const fault = (message: string): void => context.addIssue({ code: 'custom', message });
    const repeated = controls.filter((control, index) => controls.findIndex(({ id }) => id === control.id) < index);
    for (const { id } of repeated) fault(`there are two controls ${id}`);
    const met = new Set(controls.flatMap((control) => control.criteria));
    for (const id of CRITERIA) if (!met.has(id)) fault(`no control meets ${id}`);
    const used = new Set(controls.flatMap((control) => (control.automated ? control.checks : [])));
    for (const name of CHECK_NAMES) if (!used.has(name)) fault(`the check ${name} belongs to no control`);
    for (const name of CHECK_NAMES) {
      for (const [, number] of wording(checks[name], 'all').matchAll(PLACEHOLDER)) {
        if (!(number! in policy)) fault(`the check ${name} refers to ${number}, which the policy does not define`);
      }
    }
  });

export type Soc2Catalog = Readonly<z.output<typeof catalogSchema>>;
export type Control = Soc2Catalog['controls'][number];

/** @throws if the catalog is malformed, or contains a criterion without a control or an unused check */
export function parseCatalog(json: unknown): Soc2Catalog {
  return catalogSchema.parse(json);
}

/** The controls of soc2.json in our own words, what counts as evidence for them, and for how long. */
export const SOC2: Soc2Catalog = parseCatalog(
  JSON.parse(readFileSync(join(PROJECT_ROOT, 'config', 'soc2.json'), 'utf8')),
);

/** What must hold for a check to pass, with the numbers of the policy. @param judged one organization, or all together */
export function askedOf(name: CheckName, judged: Judged): string {
  const numbers: Readonly<Record<string, number>> = SOC2.policy;
  return wording(SOC2.checks[name], judged).replace(PLACEHOLDER, (_, number: string) => String(numbers[number]));
}
