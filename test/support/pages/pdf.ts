import { inflateSync } from 'node:zlib';

// A parser for the PDF files that this service writes: enough of ISO 32000 to see what a reader of the file sees.

type Dictionary = Map<string, Value>;
class Reference {
  constructor(readonly id: number) {}
}
class Name {
  constructor(readonly text: string) {}
}
type Value = Dictionary | Reference | Name | Value[] | string | number | boolean | null;

/** A node of the structure tree, with its text. */
export interface Node {
  readonly tag: string;
  readonly text: string;
  readonly alt?: string;
  readonly actual?: string;
  readonly scope?: string;
  readonly children: readonly Node[];
}

export interface ReadPdf {
  /** Text of each page in drawing order. */
  readonly pages: readonly string[];
  /** Text of each page that belongs to no element: footers, repeated headers. */
  readonly artifacts: readonly string[];
  readonly root: Node;
  readonly info: ReadonlyMap<string, string>;
  /** Whether every font file is embedded in the document. */
  readonly embedded: boolean;
  /** Entries of the document catalog, as far as their values are simple. */
  readonly catalog: ReadonlyMap<string, unknown>;
}

class Parser {
  private at = 0;
  constructor(private readonly source: string) {}

  value(): Value {
    this.skip();
    const rest = this.source.slice(this.at, this.at + 60);
    if (rest.startsWith('<<')) return this.dictionary();
    if (rest.startsWith('[')) return this.array();
    if (rest.startsWith('(')) return this.literal();
    if (rest.startsWith('<')) return this.hex();
    const token = /^(?:(\d+) \d+ R\b|\/([^\s/<>[\]()]*)|([+-]?\d*\.?\d+(?:e[+-]?\d+)?)|(true|false|null)\b)/.exec(rest);
    if (!token) throw new Error(`unreadable at ${this.at}: ${rest}`);
    this.at += token[0].length;
    if (token[1] !== undefined) return new Reference(Number(token[1]));
    if (token[2] !== undefined) return new Name(token[2]);
    if (token[3] !== undefined) return Number(token[3]);
    return token[4] === 'null' ? null : token[4] === 'true';
  }

  private dictionary(): Dictionary {
    const entries: Dictionary = new Map();
    this.at += 2;
    for (this.skip(); !this.source.startsWith('>>', this.at); this.skip()) {
      entries.set((this.value() as Name).text, this.value());
    }
    this.at += 2;
    return entries;
  }

  private array(): Value[] {
    const items: Value[] = [];
    this.at += 1;
    for (this.skip(); this.source[this.at] !== ']'; this.skip()) items.push(this.value());
    this.at += 1;
    return items;
  }

  private literal(): string {
    let bytes = '';
    let depth = 0;
    for (;;) {
      const character = this.source[this.at++]!;
      if (character === '\\') {
        const escaped = this.source[this.at++]!;
        bytes += { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }[escaped] ?? escaped;
        continue;
      }
      if (character === '(' && depth++ === 0) continue;
      if (character === ')' && --depth === 0) return decode(Buffer.from(bytes, 'latin1'));
      bytes += character;
    }
  }

  private hex(): string {
    const end = this.source.indexOf('>', this.at);
    const digits = this.source.slice(this.at + 1, end);
    this.at = end + 1;
    return decode(Buffer.from(digits, 'hex'));
  }

  private skip(): void {
    while (/\s/.test(this.source[this.at] ?? '')) this.at += 1;
  }
}

/** Text strings are UTF-16 with a byte order mark, or otherwise Latin-1 as this service writes them. */
const decode = (bytes: Buffer): string =>
  bytes[0] === 0xfe && bytes[1] === 0xff
    ? Buffer.from(bytes.subarray(2)).swap16().toString('utf16le')
    : bytes.toString('latin1');

class File {
  private readonly objects = new Map<number, string>();
  readonly trailer: Dictionary;

  constructor(file: Buffer) {
    const source = file.toString('latin1');
    for (const match of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
      this.objects.set(Number(match[1]), match[2]!);
    }
    this.trailer = new Parser(source.slice(source.lastIndexOf('trailer') + 7)).value() as Dictionary;
  }

  /** Resolves a value that is a reference. */
  get(value: Value | undefined): Value {
    return value instanceof Reference ? new Parser(this.objects.get(value.id)!).value() : (value ?? null);
  }

  dictionary(value: Value | undefined): Dictionary {
    return this.get(value) as Dictionary;
  }

  stream(value: Value | undefined): string {
    const text = this.objects.get((value as Reference).id)!;
    const dictionary = this.dictionary(value);
    const start = text.indexOf('stream\n') + 'stream\n'.length;
    // by its length: compressed data may end in anything, even line breaks
    const data = Buffer.from(text.slice(start, start + (this.get(dictionary.get('Length')) as number)), 'latin1');
    return (dictionary.has('Filter') ? inflateSync(data) : data).toString('latin1');
  }
}

/** Maps the codes of a font to text. */
function readCodes(file: File, font: Dictionary): Map<number, string> {
  const codes = new Map<number, string>();
  const map = file.stream(font.get('ToUnicode'));
  const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, from, , targets] of map.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/gi)) {
    const first = parseInt(from!, 16);
    [...targets!.matchAll(/<([0-9a-f ]+)>/gi)].forEach(([, hex], index) =>
      codes.set(first + index, utf16(hex!.replaceAll(' ', ''))),
    );
  }
  return codes;
}

/** Text of a page by marked-content id; -1 stands for artifacts. */
function readPage(file: File, page: Dictionary): Map<number, string> {
  const resources = file.dictionary(page.get('Resources'));
  const fonts = new Map<string, Map<number, string>>();
  for (const [name, font] of file.dictionary(resources.get('Font')))
    fonts.set(name, readCodes(file, file.dictionary(font)));
  const texts = new Map<number, string>();
  const marks: number[] = [];
  let codes = new Map<number, string>();
  const content = file.stream(page.get('Contents'));
  const operators =
    /\/(\w+) (?:<<([^>]*)>>|<< *\/MCID (\d+)[^>]*>>)? ?(?:BDC|BMC)|\bEMC\b|\/(\w+) [\d.]+ Tf|\[([^\]]*)\] TJ|\bET\b/g;
  for (const [operator, tag, properties, , font, shown] of content.matchAll(operators)) {
    const mark = marks.at(-1);
    if (operator === 'EMC') marks.pop();
    else if (tag !== undefined) {
      const id = /\/MCID (\d+)/.exec(properties ?? '')?.[1];
      marks.push(id === undefined ? -1 : Number(id));
    } else if (font !== undefined) codes = fonts.get(font)!;
    else {
      if (mark === undefined) throw new Error('text outside any marked content');
      const glyphs = [...(shown ?? '').matchAll(/<([0-9a-f]+)>/gi)].flatMap(([, hex]) => hex!.match(/.{4}/g) ?? []);
      const text =
        shown === undefined ? '\n' : glyphs.map((glyph) => codes.get(parseInt(glyph, 16)) ?? '\uFFFD').join('');
      texts.set(mark, (texts.get(mark) ?? '') + text);
    }
  }
  return texts;
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function readPdf(pdf: Buffer): ReadPdf {
  const file = new File(pdf);
  const catalog = file.dictionary(file.trailer.get('Root'));
  const pageReferences = file.dictionary(catalog.get('Pages')).get('Kids') as Reference[];
  const pages = new Map(pageReferences.map((page) => [page.id, readPage(file, file.dictionary(page))]));

  const read = (reference: Value): Node => {
    const element = file.dictionary(reference);
    let text = '';
    const children: Node[] = [];
    const own = element.get('Pg') as Reference | undefined;
    for (const child of (file.get(element.get('K')) ?? []) as Value[]) {
      if (typeof child === 'number') text += pages.get(own!.id)!.get(child) ?? '';
      else if (child instanceof Map && child.has('MCID')) {
        text += pages.get((child.get('Pg') as Reference).id)!.get(child.get('MCID') as number) ?? '';
      } else children.push(read(child));
    }
    const attributes = file.get(element.get('A'));
    const scope = attributes instanceof Map ? (attributes.get('Scope') as Name | undefined)?.text : undefined;
    const [alt, actual] = [element.get('Alt'), element.get('ActualText')] as (string | undefined)[];
    return {
      tag: (element.get('S') as Name).text,
      text: tidy(text),
      ...(alt === undefined ? {} : { alt }),
      ...(actual === undefined ? {} : { actual }),
      ...(scope === undefined ? {} : { scope }),
      children,
    };
  };
  const [document] = file.dictionary(catalog.get('StructTreeRoot')).get('K') as Value[];
  const texts = [...pages.values()];
  const descriptors = pdf.toString('latin1').match(/\/Type \/FontDescriptor[\s\S]*?endobj/g) ?? [];
  return {
    pages: texts.map((page) => tidy([...page.values()].join(' '))),
    artifacts: texts.map((page) => tidy(page.get(-1) ?? '')),
    root: read(document!),
    info: new Map(
      [...file.dictionary(file.trailer.get('Info'))].map(([name, value]) => [name, file.get(value) as string]),
    ),
    embedded: descriptors.length > 0 && descriptors.every((descriptor) => descriptor.includes('/FontFile2')),
    catalog: new Map([...catalog].map(([name, value]) => [name, file.get(value)])),
  };
}

/** All nodes with a tag, in document order. */
export function nodesOf(node: Node, tag: string): Node[] {
  return [...(node.tag === tag ? [node] : []), ...node.children.flatMap((child) => nodesOf(child, tag))];
}
