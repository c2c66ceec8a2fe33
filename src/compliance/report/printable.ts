/** Text as printed in the report, with the text that it represents. */
export interface Printable {
  readonly shown: string;
  /** Replacement text for screen readers; undefined if it equals what is shown. */
  readonly actual: string | undefined;
}

/** Letters written from right to left, with the stretching of Arabic, which is of no script. */
const RIGHT_TO_LEFT = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u0640`;
const WORD = String.raw`[${RIGHT_TO_LEFT}][${RIGHT_TO_LEFT}\u0660-\u0669\p{M}]*`;
/** What may stand between two words: a space, or marks such as a hyphen, the comma of a list or the joiner within a Persian word. */
const BETWEEN = String.raw`(?: ?[-'’"/.,،:&\u200c]+ ?| )`;
const RIGHT_TO_LEFT_WORDS = new RegExp(`(${WORD}(?:${BETWEEN}${WORD})*)( ?)`, 'gu');
/** Arabic and Persian digits, which are part of a word but go from left to right. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]+/gu;
/** Three-per-em space: as wide as a space and a valid line break, but pdfkit does not split text there. */
const UNCUT_SPACE = '\u2004';

/**
 * Writes runs of characters that the font lacks as their code points, `[U+682A U+5F0F]`: an empty box could stand for anything. pdfkit
 * splits text after each space and places the pieces from left to right, shaping each separately: right-to-left words are kept in one
 * piece, whose order it gets right. Within such a piece the trailing space ends up before the words, so that what follows needs another
 * one. Other digits, Latin letters and brackets next to the words get a space of their own: within the piece they would be turned around as
 * well, as are digits of the words, which are turned around beforehand.
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
  const turned = (digits: string): string => [...digits].toReversed().join('');
  const cutFrom = (neighbor = ' '): string => (/\s/.test(neighbor) ? '' : ' ');
  shown = shown.replace(
    RIGHT_TO_LEFT_WORDS,
    (_, words: string, space: string, at: number) =>
      cutFrom(shown[at - 1]) +
      words.replaceAll(' ', UNCUT_SPACE).replace(DIGITS, turned) +
      space.repeat(2) +
      cutFrom(shown[at + words.length]),
  );
  return { shown, actual: shown === text ? undefined : text };
}
