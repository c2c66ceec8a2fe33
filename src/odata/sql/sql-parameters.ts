import type { Tenant } from '../../platform/database/scope.js';

/** Parameters of one statement: the only way for caller-supplied values to get into it. */
export class SqlParameters {
  readonly values: unknown[];

  /** @param asOf as of when further pages are read, as the first page told it */
  constructor({ organizationId, workspaceId }: Tenant, asOf: string | null = null) {
    this.values = [organizationId, workspaceId, asOf]; // $1 and $2 of every source, $3 of the reading
  }

  /** @returns the placeholder of the value, cast to the PostgreSQL type */
  bind(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
