import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from './paths.js';

/** Of 32 bits, like the integers of the database. */
const limit = z.int32().min(0);
const limitsSchema = z.strictObject({
  /** Runs per calendar month (UTC) before overage or refusal. */
  monthly_runs: limit,
  workspaces: limit,
  /** Number of series in a workspace up to which uploads and connectors may create new ones. */
  workspace_series: limit,
  members: limit,
  api_keys: limit,
  /** Whether the public API and OData may be called. */
  public_api: z.boolean(),
  /** Whether runs beyond the quota may be metered, if metering is configured. */
  overage: z.boolean(),
});

/** What an organization on a plan may use. */
export type PlanLimits = Readonly<z.output<typeof limitsSchema>>;

export const PLAN_NAMES = ['free', 'starter', 'growth', 'scale', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** Smallest first. */
type Plans = Readonly<Record<PlanName, PlanLimits>>;

/** @throws {Error} naming each field that is wrong, as `free.members` */
export function readPlans(text: string): Plans {
  const parsed = z.record(z.enum(PLAN_NAMES), limitsSchema).safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(`config/plans.json is invalid:\n${z.prettifyError(parsed.error)}`);
}

/** The plans of plans.json. */
export const PLANS: Plans = readPlans(readFileSync(join(PROJECT_ROOT, 'config', 'plans.json'), 'utf8'));
