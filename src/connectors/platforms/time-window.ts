/**
 * Position in a list that a platform pages by number, ordered by last change. Page numbers alone lose records: one that is
 * changed meanwhile moves to the end and everything behind it moves up by one, over the edge of the next page. So the list
 * is asked for anew from the last change that was seen, and pages are counted only within one instant.
 */
export interface TimeWindow {
  /** ISO 8601: what changed after it. */
  readonly after: string;
  /** From 1. */
  readonly page: number;
}

export function firstWindow(since: Date): TimeWindow {
  return { after: since.toISOString(), page: 1 };
}

/**
 * @param last the latest change on a full page
 * @param stepMs the finest difference of times that the platform's filter tells apart
 */
export function nextWindow({ after, page }: TimeWindow, last: Date, stepMs: number): TimeWindow {
  const moved = new Date(last.getTime() - stepMs); // so that more of the last instant is not left out
  return moved.getTime() > Date.parse(after) ? { after: moved.toISOString(), page: 1 } : { after, page: page + 1 };
}
