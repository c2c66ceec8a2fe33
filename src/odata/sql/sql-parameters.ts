import type { Tenant } from '../../platform/database/scope.js';

/** Values of one statement. Nothing that a caller has sent gets into a statement but by way of these. */
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
