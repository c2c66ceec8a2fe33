import type { SelectExpand } from '../language/ast.js';
import type { DerivedColumn } from '../sql/row-scope.js';

/** The part after `$metadata#` for entities of a set: `Series(unique_id,workspace(name))`. */
export function entityContext(set: string, request: SelectExpand): string {
  return set + selectList(request);
}

/** The same for the rows of an aggregation. */
export function derivedContext(set: string, columns: readonly DerivedColumn[]): string {
  const tops = new Set(columns.map(({ path }) => path[0]!));
  const listed = [...tops].map((top) => {
    const below = columns.filter(({ path }) => path[0] === top && path.length > 1);
    return below.length === 0 ? top : `${top}(${below.map(({ path }) => path.slice(1).join('/')).join(',')})`;
  });
  return `${set}(${listed.join(',')})`;
}

/** OData 4.0 lists an expanded navigation only if some of its properties were selected. */
function selectList({ select, expand = [] }: SelectExpand): string {
  const selected = (select ?? []).map(({ name }) => name);
  const expanded = expand.map((item) => item.navigation + selectList(item)).filter((text) => text.endsWith(')'));
  const items = [...selected, ...expanded];
  return items.length === 0 ? '' : `(${items.join(',')})`;
}
