/** Text as the report prints it, beside what it stands for. */
export interface Printable {
  readonly shown: string;
  /** What a reader that speaks or copies is to take instead of what is shown; undefined where it is the same. */
  readonly actual: string | undefined;
}

const RIGHT_TO_LEFT = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}][\p{L}\p{M}]*`;
const RIGHT_TO_LEFT_WORDS = new RegExp(`(${RIGHT_TO_LEFT}(?: ${RIGHT_TO_LEFT})*)( ?)`, 'gu');
/** Three-per-em space: as wide as a space, and a line may end at it, but pdfkit does not cut text there. */
const UNCUT_SPACE = '\u2004';

/**
 * Writes runs of characters that the font has no shapes for as their code points, `[U+682A U+5F0F]`: an empty box would
 * stand for anything. pdfkit cuts text after each space and sets the pieces from left to right, each shaped by itself: words
 * written from right to left stay one piece, whose order it gets right. In a piece of theirs the space at the end comes to
 * stand before them, so that what follows needs one more.
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
  shown = shown.replace(
    RIGHT_TO_LEFT_WORDS,
    (_, words: string, space: string) => words.replaceAll(' ', UNCUT_SPACE) + space.repeat(2),
  );
  return { shown, actual: shown === text ? undefined : text };
}
