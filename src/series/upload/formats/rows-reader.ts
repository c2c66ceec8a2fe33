/** Reads rows from text that arrives in pieces, and passes them to the row collector. */
export interface RowsReader {
  /** Reads the next piece. @throws {UnreadableBody} */
  push(text: string): void;
  /** Ends the text. @throws {UnreadableBody} */
  end(): void;
  /** Line on which the next piece begins, for encoding errors. */
  readonly line: number;
}

/** Maximum length of a record in any format, in characters; an unclosed quote or bracket must not swallow the rest of the file. */
export const MAX_RECORD_LENGTH = 1_048_576;

/** Number of line feeds in the text from `start` up to but not including `end`. */
export function countLines(text: string, start = 0, end = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
