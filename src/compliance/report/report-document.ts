import PDFDocument from 'pdfkit';
import { printable } from './printable.js';
import { CONTENT_WIDTH, FAINT, type FontName, FONTS, INK, PAGE } from './theme.js';

export interface TextStyle {
  readonly font?: FontName;
  readonly size?: number;
  readonly color?: string;
  /** Space below it, in points. */
  readonly gap?: number;
}

export type Element = PDFKit.PDFStructureElement;

/** A tagged PDF (PDF/UA) written from top to bottom: every text belongs to an element of the structure tree. */
export class ReportDocument {
  readonly pdf: PDFKit.PDFDocument;
  readonly root: Element;
  private readonly finished: Promise<Buffer>;

  /** @param at creation time recorded in the file, so that the same report yields the same file */
  constructor(title: string, at: Date) {
    this.pdf = new PDFDocument({
      size: 'A4',
      margins: { top: PAGE.margin, left: PAGE.margin, right: PAGE.margin, bottom: PAGE.footer },
      pdfVersion: '1.7',
      subset: 'PDF/UA' as 'PDF/A-1', // missing from the type definitions
      tagged: true,
      lang: 'en',
      displayTitle: true,
      bufferPages: true,
      info: { Title: title, CreationDate: at, ModDate: at },
    });
    const chunks: Buffer[] = [];
    this.pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.finished = new Promise((resolve) => this.pdf.on('end', () => resolve(Buffer.concat(chunks))));
    for (const [name, file] of Object.entries(FONTS)) this.pdf.registerFont(name, file);
    this.root = this.pdf.struct('Document');
    this.pdf.addStructure(this.root);
    this.use({});
  }

  use({ font = 'regular', size = 9.5, color = INK }: TextStyle): void {
    this.pdf.font(font).fontSize(size).fillColor(color);
  }

  /** Height of a text in a given width, in points. */
  height(text: string, width: number, style: TextStyle): number {
    this.use(style);
    return this.pdf.heightOfString(this.shown(text).shown, { width });
  }

  /** The text in a form that the font can show. */
  shown(text: string): ReturnType<typeof printable> {
    // the current font, which pdfkit keeps private
    const { font } = (this.pdf as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })
      ._font;
    return printable(text, (code) => font.hasGlyphForCodePoint(code));
  }

  /** A block of text in the flow of the page. */
  text(tag: 'H1' | 'H2' | 'H3' | 'P', text: string, style: TextStyle): void {
    this.use(style);
    const { shown, actual } = this.shown(text);
    const draw = (): void => {
      this.pdf.text(shown, PAGE.margin, this.pdf.y, { width: CONTENT_WIDTH });
    };
    this.root.add(this.pdf.struct(tag, actual === undefined ? {} : { actual }, draw));
    this.pdf.y += style.gap ?? 6;
  }

  /** Writes a heading, kept together with the beginning of what follows: after a chapter heading, its lead and the first subheading. */
  heading(tag: 'H2' | 'H3', text: string): void {
    this.need(tag === 'H2' ? 160 : 90);
    if (tag === 'H2') this.pdf.outline.addItem(text);
    this.text(tag, text, tag === 'H2' ? { font: 'bold', size: 14, gap: 8 } : { font: 'bold', size: 10.5, gap: 6 });
  }

  /** Starts a new page if fewer points than this are left. */
  need(height: number): void {
    if (this.pdf.y + height > PAGE.height - PAGE.footer) this.pdf.addPage();
  }

  /** Draws something purely decorative, not part of the document's content. */
  artifact(draw: () => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.pdf.endMarkedContent();
  }

  /** Writes the footers, now that the number of pages is known. @returns the file */
  finish(footer: string): Promise<Buffer> {
    const { count } = this.pdf.bufferedPageRange();
    this.root.end();
    for (let index = 0; index < count; index += 1) {
      this.pdf.switchToPage(index);
      this.pdf.page.margins.bottom = 0; // the footer is placed there
      this.pdf.markContent('Artifact', { type: 'Pagination' });
      this.use({ size: 7.5, color: FAINT });
      const y = PAGE.height - PAGE.footer / 2 - 6;
      this.pdf.text(footer, PAGE.margin, y, { lineBreak: false });
      this.pdf.text(`Page ${index + 1} of ${count}`, PAGE.margin, y, { width: CONTENT_WIDTH, align: 'right' });
      this.pdf.endMarkedContent();
    }
    this.pdf.end();
    return this.finished;
  }
}
