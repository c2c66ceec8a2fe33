import { Problem } from '../../platform/http/problem.js';

/** What the query, or the record of an import, says already. */
export interface GivenTarget {
  readonly workspaceId: string | undefined;
  readonly fill: string | undefined;
}

/**
 * Workspace and fill of an upload, where a JSON body may name either beside its rows.
 * @throws {Problem} 400 naming members that are unknown, ill-typed or contradict the query
 */
export function readMembers(
  members: Readonly<Record<string, unknown>>,
  given: GivenTarget,
): { readonly workspaceId: string | undefined; readonly fillZero: boolean } {
  const { workspace_id: workspaceId, fill, ...unknown } = members;
  const faults = Object.keys(unknown).map((param) => ({ param, message: 'is not a known member' }));
  if (workspaceId !== undefined && typeof workspaceId !== 'string') {
    faults.push({ param: 'workspace_id', message: 'must be text' });
  } else if (
    workspaceId !== undefined &&
    given.workspaceId !== undefined &&
    workspaceId.toLowerCase() !== given.workspaceId.toLowerCase()
  ) {
    faults.push({ param: 'workspace_id', message: 'differs from the workspace the upload is for' });
  }
  if (fill !== undefined && fill !== 'zero' && fill !== 'none') {
    faults.push({ param: 'fill', message: 'must be one of the following values: none, zero' });
  }
  if (faults.length > 0) throw Problem.invalid(faults);
  return {
    workspaceId: given.workspaceId ?? (workspaceId as string | undefined),
    fillZero: (fill ?? given.fill) === 'zero',
  };
}
