/** Reads rows out of text that arrives in pieces, and hands them to the row collector. */
export interface RowsReader {
  /** Reads the next piece. @throws {UnreadableBody} */
  push(text: string): void;
  /** Ends the text. @throws {UnreadableBody} */
  end(): void;
  /** Line on which the next piece begins, for encoding errors. */
  readonly line: number;
}

/** Longest record of any format, in characters; a quote or bracket left open must not swallow the rest of the file. */
export const LONGEST_RECORD = 1_048_576;

/** Number of line feeds in the text from `start` to before `end`. */
export function countLines(text: string, start = 0, end = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
