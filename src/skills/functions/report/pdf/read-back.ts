import { inflateSync } from 'node:zlib';

/** Reads the text of the PDFs that are made here, for their tests: glyphs are turned back by the fonts' own tables. */
export const readPdf = (content: Uint8Array): { pages: number; text: string; fonts: string[] } => {
  const objects = objectsOf(Buffer.from(content).toString('latin1'));
  const fonts = fontsOf(objects);
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  const text = pages
    .map(({ head }) => objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)?.[1]))?.stream ?? '')
    .map((stream) => textOf(stream, fonts))
    .join('\n');
  const names = [...objects.values()].flatMap(({ head }) => /\/FontName \/(\S+)/.exec(head)?.[1] ?? []);
  return { pages: pages.length, text, fonts: names };
};

interface PdfObject {
  head: string;
  stream: string;
}

const objectsOf = (pdf: string): Map<number, PdfObject> => {
  const objects = new Map<number, PdfObject>();
  for (const [, id, body = ''] of pdf.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)) {
    const [head = '', rest] = body.split(/\nstream\n/, 2);
    const packed = rest === undefined ? null : Buffer.from(rest.replace(/\nendstream$/, ''), 'latin1');
    const isPacked = head.includes('/FlateDecode');
    const stream =
      packed && isPacked ? inflateSync(packed, { finishFlush: 2 }).toString('latin1') : (rest ?? '');
    objects.set(Number(id), { head, stream });
  }
  return objects;
};

/** By the name that pages call a font: what each of its glyphs says. */
const fontsOf = (objects: ReadonlyMap<number, PdfObject>): Map<string, string[]> => {
  const fonts = new Map<string, string[]>();
  for (const { head } of objects.values()) {
    for (const [, name = '', id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(id))?.head ?? '')?.[1];
      if (table !== undefined) fonts.set(name, glyphsOf(objects.get(Number(table))?.stream ?? ''));
    }
  }
  return fonts;
};

const glyphsOf = (table: string): string[] =>
  [...table.matchAll(/<[0-9a-f]{4}> <[0-9a-f]{4}> \[(.*?)\]/gs)].flatMap(([, list = '']) =>
    [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    ),
  );

const textOf = (stream: string, fonts: ReadonlyMap<string, string[]>): string => {
  let glyphs: string[] = [];
  let text = '';
  for (const [, font, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (font !== undefined) glyphs = fonts.get(font) ?? [];
    for (const [, codes = ''] of (shown ?? '').matchAll(/<([0-9a-f]+)>/g))
      for (const [code] of codes.matchAll(/.{4}/g)) text += glyphs[Number.parseInt(code, 16)] ?? '?';
    if (shown !== undefined) text += ' ';
  }
  return text;
};
