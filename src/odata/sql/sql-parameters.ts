import type { Tenant } from '../../platform/database/scope.js';

/** Parameters of one statement: the only way for caller-supplied values to get into it. */
export class SqlParameters {
  readonly values: unknown[];

  constructor({ organizationId, workspaceId }: Tenant) {
    this.values = [organizationId, workspaceId]; // $1 and $2 of every source
  }

  /** @returns the placeholder of the value, cast to the PostgreSQL type */
  bind(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
