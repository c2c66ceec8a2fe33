import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ChecklistState } from '../dto/readiness.dto.js';
import type { ControlState } from '../evidence/coverage.js';

const require = createRequire(import.meta.url);
const fontFile = (name: string): Buffer => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));

/** Embedded, so that the file looks the same everywhere; the font names are those of {@link FONTS}. */
export const FONTS = { regular: fontFile('DejaVuSans'), bold: fontFile('DejaVuSans-Bold') };
export type FontName = keyof typeof FONTS;

/** A4 in points. */
export const PAGE = { width: 595.28, height: 841.89, margin: 56, footer: 72 };
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;

export const INK = '#1f2933';
export const FAINT = '#52606d';
export const LINE = '#cbd2d9';
export const SHADE = '#f0f3f6';

/** How each state of a control is labeled and shown; never by color alone. */
export const STATES: Readonly<Record<ControlState, { readonly label: string; readonly color: string }>> = {
  passing: { label: 'Passing', color: '#1b7f4b' },
  failing: { label: 'Failing', color: '#b3261e' },
  stale: { label: 'Stale', color: '#b26a00' },
  missing: { label: 'No evidence', color: '#7b4b94' },
  not_applicable: { label: 'Not applicable', color: '#9aa5b1' },
  not_automated: { label: 'Not automated', color: '#cbd2d9' },
};

/** The same for the items of the checklist. */
export const CHECKLIST_STATES: Readonly<Record<ChecklistState, { readonly label: string; readonly color: string }>> = {
  done: { label: 'Done', color: STATES.passing.color },
  stated: { label: 'Stated, not verified', color: STATES.stale.color },
  no_text: { label: 'Accepted; no text published', color: STATES.stale.color },
  open: { label: 'Open', color: STATES.failing.color },
};
