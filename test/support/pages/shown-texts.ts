import type { Page } from 'playwright-core';

/** A text of a page with its color and background color, as red, green and blue from 0 to 255. */
export interface ShownText {
  readonly text: string;
  readonly ink: readonly number[];
  readonly paper: readonly number[];
}

/** The texts visible on the page, including those of disabled controls. */
export function shownTexts(page: Page): Promise<ShownText[]> {
  return page.evaluate<ShownText[]>(SHOWN_TEXTS);
}

/** Texts with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3). */
export const withLowContrast = (texts: readonly ShownText[]): ShownText[] =>
  texts.filter(({ ink, paper }) => contrast(ink, paper) < 4.5);

/** Runs in the page. Translucent colors are blended with those below them, down to the background of the page. */
const SHOWN_TEXTS = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, alpha = 1], below) => [r, g, b].map((part, i) => alpha * part + (1 - alpha) * below[i]);
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.backgroundColor = 'Canvas';
  const canvas = parts(getComputedStyle(probe).backgroundColor);
  probe.remove();
  const paperOf = (node) => {
    if (!node) return canvas;
    const color = parts(getComputedStyle(node).backgroundColor);
    return over(color, color.length === 3 ? canvas : paperOf(node.parentElement));
  };
  const textOf = (element) => [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join('').trim();
  return [...document.body.querySelectorAll('*')]
    .filter((element) => textOf(element) !== '' && element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0)
    .map((element) => {
      const paper = paperOf(element);
      return { text: textOf(element).slice(0, 40), ink: over(parts(getComputedStyle(element).color), paper), paper };
    });
})()`;

function contrast(ink: readonly number[], paper: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(ink), luminance(paper)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
