import { AsyncLocalStorage } from 'node:async_hooks';

/** An organization, or a single one of its workspaces, with the others out of reach. */
export interface Tenant {
  readonly organizationId: string;
  readonly workspaceId: string | null;
}

/** The workspace that a query is about. */
export interface WorkspaceTenant extends Tenant {
  readonly workspaceId: string;
}

/**
 * Whose rows a piece of work may touch; enforced by the tables' policies (docs/decisions/0004-row-level-security.md). `platform`:
 * only rows that belong to no organization. `system`: all rows, for the work named by the reason.
 */
export type Scope = (
  | ({ readonly kind: 'tenant' } & Tenant)
  | { readonly kind: 'platform' }
  | { readonly kind: 'system'; readonly reason: string }
) & {
  /** Someone is waiting for the reply: statements have a shorter time limit than in background work. */
  readonly awaited?: boolean;
};

/** Shared by a piece of work and everything it starts. A request has it before its scope is known. */
interface Entered {
  scope: Scope | undefined;
}

const entered = new AsyncLocalStorage<Entered>();

/** The scope of the current work; undefined if none was entered. */
export function currentScope(): Scope | undefined {
  return entered.getStore()?.scope;
}

/**
 * Runs `work`, a whole request, without a scope until {@link admitInto} sets one; until then the database rejects every statement.
 * Nothing leaks in from an earlier request's scope, whoever calls this.
 */
export function beforeAdmission<T>(work: () => T): T {
  return entered.run({ scope: undefined }, work);
}

/** Sets the request's scope, once, for everything it does from here on. */
export function admitInto(scope: Scope): void {
  const request = entered.getStore();
  if (!request || request.scope) throw new Error('only a request that has no scope yet can be admitted into one');
  request.scope = scope;
}

/**
 * Runs `work`, and whatever it starts, in the scope. From a tenant's scope the only other scopes to enter are its workspaces: work
 * for a tenant cannot reach another.
 */
export function runInScope<T>(scope: Scope, work: () => T): T {
  const outer = currentScope();
  if (outer?.kind === 'tenant' && !(scope.kind === 'tenant' && contains(outer, scope))) {
    throw new Error(`work for a tenant asked for the scope ${describe(scope)}`);
  }
  return entered.run({ scope: outer?.awaited === undefined ? scope : { ...scope, awaited: outer.awaited } }, work);
}

/** Runs a part of a request under the time limit of background work: for operations that take longer the more is stored. */
export function withBackgroundTimeout<T>(work: () => T): T {
  const scope = currentScope();
  return scope ? entered.run({ scope: { ...scope, awaited: false } }, work) : work();
}

export function asTenant<T>({ organizationId, workspaceId }: Tenant, work: () => T): T {
  return runInScope({ kind: 'tenant', organizationId, workspaceId }, work);
}

/** @param reason the work in a word or two: these calls are how to find all work that sees every tenant */
export function asSystem<T>(reason: string, work: () => T): T {
  return runInScope({ kind: 'system', reason }, work);
}

export function contains(outer: Tenant, inner: Tenant): boolean {
  if (outer.organizationId !== inner.organizationId) return false;
  return outer.workspaceId === null || outer.workspaceId === inner.workspaceId;
}

function describe(scope: Scope): string {
  return scope.kind === 'system' ? `system (${scope.reason})` : scope.kind;
}
