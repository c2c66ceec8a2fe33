import { escapeHtml } from '../../platform/http/replies/escape-html.js';

/** A point of the image, in user units. */
export type Point = readonly [number, number];

/** Escapes text for an element or attribute; drops characters that XML does not allow at all. */
export function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''));
}

export function polyline(className: string, points: readonly Point[]): string {
  return `<polyline class="${className}" points="${coordinates(points)}"/>`;
}

export function polygon(className: string, points: readonly Point[]): string {
  return `<polygon class="${className}" points="${coordinates(points)}"/>`;
}

export function circle(className: string, [x, y]: Point): string {
  return `<circle class="${className}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2"/>`;
}

const coordinates = (points: readonly Point[]): string =>
  points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
