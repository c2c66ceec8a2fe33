import type { Settings } from '../../../config/settings.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import type { Queryable } from '../../platform/database/database.js';
import type { SchemaSource } from '../../platform/database/setup/orm-options.js';

/** What a check has access to. It queries the database as the service does, in the scope of system work. */
export interface CheckContext {
  readonly db: Queryable;
  readonly settings: Settings;
  readonly secrets: Secrets;
  /** What the release declares, and where to find it. */
  readonly schema: SchemaSource;
  readonly databaseUrl: string;
  readonly now: Date;
  /** The organization to judge in checks of what customers do; null for all organizations. */
  readonly organizationId: string | null;
}

/** `not_applicable`: there is nothing here for the check to apply to. */
export interface Finding {
  readonly status: 'passed' | 'failed' | 'not_applicable';
  /** For an auditor: what was examined and found, in numbers. Names no customer's data. */
  readonly detail: string;
}

/** Examines this installation. If it throws, the result is recorded with status `error`, which is evidence of nothing. */
export type Check = (context: CheckContext) => Promise<Finding>;

export const passed = (detail: string): Finding => ({ status: 'passed', detail });
export const failed = (detail: string): Finding => ({ status: 'failed', detail });
export const notApplicable = (detail: string): Finding => ({ status: 'not_applicable', detail });
export const passedIf = (holds: boolean, detail: string): Finding => (holds ? passed(detail) : failed(detail));

/** At most five of the names, and the number of others. */
export function firstFive(names: readonly string[]): string {
  const rest = names.length - 5;
  return `${names.slice(0, 5).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
