/**
 * Those that come back to themselves by their successors, in linear time.
 * @param successors by predecessor, which has only one
 */
export function circularIn<Id>(successors: ReadonlyMap<Id, Id>): ReadonlySet<Id> {
  const circular = new Set<Id>();
  const passed = new Set<Id>();
  for (const start of successors.keys()) {
    const path: Id[] = [];
    let at: Id | undefined = start;
    while (at !== undefined && !passed.has(at)) {
      passed.add(at);
      path.push(at);
      at = successors.get(at);
    }
    // undefined and what an earlier path has passed are not in this one
    const begin = path.findIndex((id) => id === at);
    if (begin >= 0) for (const id of path.slice(begin)) circular.add(id);
  }
  return circular;
}
