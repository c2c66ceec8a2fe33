/** Text as the report prints it, beside what it stands for. */
export interface Printable {
  readonly shown: string;
  /** What a reader that speaks or copies is to take instead of what is shown; undefined where it is the same. */
  readonly actual: string | undefined;
}

/**
 * Writes runs of characters that the font has no shapes for as their code points, `[U+682A U+5F0F]`: an empty box would
 * stand for anything.
 */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): Printable {
  let shown = '';
  let lacking: string[] = [];
  const flush = (): void => {
    if (lacking.length > 0) shown += `[${lacking.join(' ')}]`;
    lacking = [];
  };
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0)!;
    if (hasGlyph(code)) {
      flush();
      shown += character;
    } else {
      lacking.push(`U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
    }
  }
  flush();
  return { shown, actual: shown === text ? undefined : text };
}
