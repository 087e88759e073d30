import { inflateSync } from 'node:zlib';

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;
/** Far beyond any table of a font slice. */
const MAX_TABLE_BYTES = 16_000_000;

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/**
 * A font without its web packing. PDFKit reads WOFF as well, but unpacks a whole table for every glyph that it takes
 * out of it: https://www.w3.org/TR/WOFF/ tells how it is packed.
 */
export const unpackWoff = (woff: Buffer): Buffer => {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new TypeError('This is not a WOFF 1.0 font.');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) =>
    readTable(woff, WOFF_HEADER + index * WOFF_ENTRY),
  );
  const size = tables.reduce(
    (sum, { content }) => sum + padded(content.length),
    SFNT_HEADER + count * SFNT_ENTRY,
  );
  const font = Buffer.alloc(size);
  writeHeader(font, woff.readUInt32BE(4), count);
  let offset = SFNT_HEADER + count * SFNT_ENTRY;
  for (const [index, { tag, checksum, content }] of tables.entries()) {
    const entry = SFNT_HEADER + index * SFNT_ENTRY;
    font.write(tag, entry, 'latin1');
    font.writeUInt32BE(checksum, entry + 4);
    font.writeUInt32BE(offset, entry + 8);
    font.writeUInt32BE(content.length, entry + 12);
    content.copy(font, offset);
    offset += padded(content.length);
  }
  return font;
};

const readTable = (woff: Buffer, entry: number): { tag: string; checksum: number; content: Buffer } => {
  const offset = woff.readUInt32BE(entry + 4);
  const packed = woff.subarray(offset, offset + woff.readUInt32BE(entry + 8));
  const length = woff.readUInt32BE(entry + 12);
  return {
    tag: woff.toString('latin1', entry, entry + 4),
    checksum: woff.readUInt32BE(entry + 16),
    content: packed.length < length ? inflateSync(packed, { maxOutputLength: MAX_TABLE_BYTES }) : packed,
  };
};

const writeHeader = (font: Buffer, flavour: number, count: number): void => {
  const power = Math.floor(Math.log2(count));
  font.writeUInt32BE(flavour, 0);
  font.writeUInt16BE(count, 4);
  font.writeUInt16BE(2 ** power * SFNT_ENTRY, 6);
  font.writeUInt16BE(power, 8);
  font.writeUInt16BE((count - 2 ** power) * SFNT_ENTRY, 10);
};
