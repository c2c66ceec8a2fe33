/** What is kept between polls, in the static data of the workflow. */
export interface PollState {
  /** Time of the newest event told, by the clock of the service. */
  newest?: string;
  /** Ids told that a poll may see again. */
  told?: string[];
}

export interface PolledItem {
  readonly id: string;
}

/** Events may become visible a little after their time; polls overlap by this much. */
const OVERLAP_MS = 60_000;
/** Ids that are remembered beside those that the next poll is bound to see again: an event may be hidden for a while. */
const REMEMBERED = 1_000;

/** Time from which the next poll looks: an overlap before the newest event told, before now where none is. */
export function since(state: PollState, now: Date): string {
  return new Date(new Date(state.newest ?? now.toISOString()).getTime() - OVERLAP_MS).toISOString();
}

/**
 * Items not told before, oldest first, and the state that remembers them.
 * @param items newest first, as the service lists them
 */
export function untold<Item extends PolledItem>(
  items: readonly Item[],
  state: PollState,
  timeOf: (item: Item) => string,
): { fresh: Item[]; state: PollState } {
  const told = new Set(state.told);
  const fresh = items.filter((item) => !told.has(item.id)).reverse();
  const newest = [state.newest ?? '', ...items.map(timeOf)].sort().at(-1);
  const overlap = Date.parse(newest ?? '') - OVERLAP_MS;
  const seenAgain = new Set(items.filter((item) => Date.parse(timeOf(item)) > overlap).map((item) => item.id));
  const others = (state.told ?? []).filter((id) => !seenAgain.has(id)).slice(-REMEMBERED);
  return { fresh, state: { ...(newest ? { newest } : {}), told: [...others, ...seenAgain] } };
}
