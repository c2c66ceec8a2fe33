import { idFault } from '../../platform/http/rules/id-of.js';
import { oneOfFault } from '../../platform/http/rules/one-of.js';
import { Problem } from '../../platform/http/problem.js';
import { canonicalId } from '../../platform/ids.js';

/** What to do with months without a value: leave them missing, or store zero. */
export const FILLS = ['none', 'zero'] as const;
export type Fill = (typeof FILLS)[number];

const UNKNOWN = 'is not a known parameter; the known parameters are workspace_id, fill and rows';

/** Workspace and fill already known from the query, or from the record of an import. */
export interface GivenTarget {
  readonly workspaceId: string | undefined;
  readonly fill: Fill | undefined;
}

/**
 * Workspace and fill of an upload; a JSON body may specify either besides its rows.
 * @throws {Problem} 400 naming members that are unknown, of the wrong type or in conflict with the query
 */
export function readMembers(
  members: Readonly<Record<string, unknown>>,
  given: GivenTarget,
): { readonly workspaceId: string | undefined; readonly fillZero: boolean } {
  const { workspace_id: named, fill, ...unknown } = members;
  const faults = Object.keys(unknown).map((param) => ({ param, message: UNKNOWN }));
  const workspaceId = typeof named === 'string' && named !== '' ? named : undefined;
  if (named !== workspaceId) faults.push({ param: 'workspace_id', message: idFault('workspace') });
  if (workspaceId !== undefined && canonicalId(workspaceId) !== canonicalId(given.workspaceId ?? workspaceId)) {
    faults.push({ param: 'workspace_id', message: 'does not match the workspace of the request' });
  }
  if (fill !== undefined && fill !== 'zero' && fill !== 'none') {
    faults.push({ param: 'fill', message: oneOfFault(FILLS) });
  } else if (fill !== undefined && fill !== (given.fill ?? fill)) {
    faults.push({ param: 'fill', message: 'does not match the fill of the request' });
  }
  if (faults.length > 0) throw Problem.invalid(faults);
  return { workspaceId: given.workspaceId ?? workspaceId, fillZero: (fill ?? given.fill) === 'zero' };
}
