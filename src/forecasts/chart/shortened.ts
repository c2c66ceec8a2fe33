/** Characters as wide as two Latin ones. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff01-\uff60]/u;
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Text at most as wide as `columns` Latin characters, with an ellipsis if truncated. */
export function shortened(text: string, columns: number): string {
  let taken = 0;
  let fits = 0;
  for (const { segment, index } of CHARACTERS.segment(text)) {
    taken += WIDE.test(segment) ? 2 : 1;
    if (taken > columns) return `${text.slice(0, fits)}…`;
    if (taken < columns) fits = index + segment.length;
  }
  return text;
}
