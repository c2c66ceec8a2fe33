import type { Element, ReportDocument, TextStyle } from './report-document.js';
import { CONTENT_WIDTH, type FontName, LINE, PAGE, SHADE } from './theme.js';

export interface Column {
  readonly title: string;
  /** In points. */
  readonly width: number;
}

/** Columns by title, each with its share of the width between the margins. */
export const columnsOf = (shares: Readonly<Record<string, number>>): Column[] =>
  Object.entries(shares).map(([title, share]) => ({ title, width: share * CONTENT_WIDTH }));

export interface Cell {
  readonly text: string;
  readonly font?: FontName;
  /** Color of a filled square drawn before the text. */
  readonly mark?: string;
}

const SIZE = 8;
const PADDING = { x: 5, y: 3.5 };
const MARK = 7;

/**
 * Writes a table. Rows are not split across pages; the header is repeated on each page, but only visually: the structure tree contains it
 * once.
 */
export function writeTable(doc: ReportDocument, columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
  const header = headerOf(columns);
  const headerHeight = rowHeight(doc, columns, header);
  doc.need(heightOf(doc, columns, rows.slice(0, 1)));
  const table = doc.pdf.struct('Table');
  doc.root.add(table);
  drawRow(doc, columns, { cells: header, height: headerHeight }, { parent: table, tag: 'TH' });
  for (const row of rows) {
    const height = rowHeight(doc, columns, row);
    if (doc.pdf.y + height > PAGE.height - PAGE.footer) {
      doc.pdf.addPage();
      drawRow(doc, columns, { cells: header, height: headerHeight });
    }
    drawRow(doc, columns, { cells: row, height }, { parent: table, tag: 'TD' });
  }
  table.end();
  doc.pdf.y += 12;
}

/** Total height of the header and the rows, in points. */
export function heightOf(doc: ReportDocument, columns: readonly Column[], rows: readonly (readonly Cell[])[]): number {
  return [headerOf(columns), ...rows].reduce((sum, row) => sum + rowHeight(doc, columns, row), 0);
}

const headerOf = (columns: readonly Column[]): Cell[] => columns.map(({ title }) => ({ text: title, font: 'bold' }));

const styleOf = ({ font = 'regular' }: Cell): TextStyle => ({ font, size: SIZE });
const indentOf = (cell: Cell): number => (cell.mark === undefined ? 0 : MARK + 4);

function rowHeight(doc: ReportDocument, columns: readonly Column[], cells: readonly Cell[]): number {
  const heights = cells.map((cell, index) =>
    doc.height(cell.text, columns[index]!.width - 2 * PADDING.x - indentOf(cell), styleOf(cell)),
  );
  return Math.max(...heights) + 2 * PADDING.y;
}

/** Position of a row or cell in the structure tree. */
interface Structure {
  readonly parent: Element;
  readonly tag: 'TH' | 'TD';
}

/** @param into the row's parent in the structure tree; if absent, it is purely decorative */
function drawRow(
  doc: ReportDocument,
  columns: readonly Column[],
  { cells, height }: { readonly cells: readonly Cell[]; readonly height: number },
  into?: Structure,
): void {
  const { pdf } = doc;
  const top = pdf.y;
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const isHeader = into === undefined || into.tag === 'TH';
  doc.artifact(() => {
    if (isHeader) pdf.rect(PAGE.margin, top, width, height).fill(SHADE);
    pdf.lineWidth(0.5).strokeColor(LINE);
    pdf
      .moveTo(PAGE.margin, top + height)
      .lineTo(PAGE.margin + width, top + height)
      .stroke();
  });
  const row = into && pdf.struct('TR');
  if (row) into.parent.add(row);
  let left = PAGE.margin;
  cells.forEach((cell, index) => {
    const column = columns[index]!;
    const place = { column, left, top };
    if (row) drawCell(doc, cell, place, { parent: row, tag: into.tag });
    else doc.artifact(() => writeCell(doc, cell, place));
    left += column.width;
  });
  row?.end();
  pdf.x = PAGE.margin;
  pdf.y = top + height;
}

interface Place {
  readonly column: Column;
  readonly left: number;
  readonly top: number;
}

function drawCell(doc: ReportDocument, cell: Cell, place: Place, { parent, tag }: Structure): void {
  if (cell.mark !== undefined) {
    const { mark } = cell;
    doc.artifact(() => doc.pdf.rect(place.left + PADDING.x, place.top + PADDING.y + 1, MARK, MARK).fill(mark));
  }
  doc.use(styleOf(cell));
  const { actual } = doc.shown(cell.text);
  const options = { ...(tag === 'TH' ? { scope: 'Column' } : {}), ...(actual === undefined ? {} : { actual }) };
  parent.add(doc.pdf.struct(tag, options, () => writeCell(doc, cell, place)));
}

function writeCell(doc: ReportDocument, cell: Cell, { column, left, top }: Place): void {
  doc.use(styleOf(cell));
  const indent = indentOf(cell);
  doc.pdf.text(doc.shown(cell.text).shown, left + PADDING.x + indent, top + PADDING.y, {
    width: column.width - 2 * PADDING.x - indent,
  });
}
