import type { Settings } from '../../../config/settings.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import type { Queryable } from '../../platform/database/database.js';
import type { SchemaSource } from '../../platform/database/orm-options.js';

/** What a check may look at. It asks the database as the service does, in the scope of system work. */
export interface CheckContext {
  readonly db: Queryable;
  readonly settings: Settings;
  readonly secrets: Secrets;
  /** What the release declares, and where it is to be found. */
  readonly schema: SchemaSource;
  readonly databaseUrl: string;
  readonly now: Date;
  /** The organization to judge in checks of what customers do; null for all organizations. */
  readonly organizationId: string | null;
}

/** `not_applicable`: there is nothing here that the check could be about. */
export interface Finding {
  readonly status: 'passed' | 'failed' | 'not_applicable';
  /** For an auditor: what was looked at and what was found, in numbers. Names no customer's data. */
  readonly detail: string;
}

/** Looks at this installation. What it throws is kept as the status `error`, which is evidence of nothing. */
export type Check = (context: CheckContext) => Promise<Finding>;

export const passed = (detail: string): Finding => ({ status: 'passed', detail });
export const failed = (detail: string): Finding => ({ status: 'failed', detail });
export const notApplicable = (detail: string): Finding => ({ status: 'not_applicable', detail });
export const passedIf = (holds: boolean, detail: string): Finding => (holds ? passed(detail) : failed(detail));

/** At most five of the names, and how many more there are. */
export function few(names: readonly string[]): string {
  const rest = names.length - 5;
  return `${names.slice(0, 5).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
