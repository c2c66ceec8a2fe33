/** One rejected line of an upload. */
export interface RejectedLine {
  /** Line of the file for CSV and NDJSON, index of the row in `rows` for JSON; both count from 1. 0 for the body as a whole. */
  readonly line: number;
  /** Column or member at fault; `body` if the line as a whole is unreadable. */
  readonly field: string;
  readonly reason: string;
}

/** How many rejected lines are listed; the others are only counted. */
export const LISTED_FAULTS = 100;

/** Collects the faults of an upload, which are found in any order, in bounded memory. */
export class FaultLog {
  private kept: RejectedLine[] = [];
  private total = 0;

  add(line: number, field: string, reason: string): void {
    this.total += 1;
    this.kept.push({ line, field, reason });
    if (this.kept.length >= 2 * LISTED_FAULTS) this.kept = this.list();
  }

  /** Counts faults beyond those that are listed. */
  addUnlisted(faults: number): void {
    this.total += faults;
  }

  get count(): number {
    return this.total;
  }

  /** The first {@link LISTED_FAULTS} in line order. */
  list(): RejectedLine[] {
    return this.kept.toSorted((a, b) => a.line - b.line).slice(0, LISTED_FAULTS);
  }
}

/** The rest of the body is unreadable. Faults found so far are in the fault log. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';

  constructor(
    readonly line: number,
    readonly reason: string,
    readonly field = 'body',
  ) {
    super(reason);
  }
}
