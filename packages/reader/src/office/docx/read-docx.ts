import { FrameReader } from '../drawing/frames.js';
import type { ReadPages } from '../../page-reader.js';
import { DocumentRefused } from '../../parsed-document.js';
import { piecesOf, type Block } from '../markdown/pieces.js';
import { paragraph } from '../markdown/text.js';
import { OfficePackage } from '../package/office-package.js';
import { saysMore } from '../package/page-frame.js';
import { untilBroken } from '../package/losses.js';
import type { XmlElement } from '../xml/xml-element.js';
import { elementOf, elementsOf } from '../xml/xml-reader.js';
import { DocumentBlocks, type DocumentParts } from './document-blocks.js';
import { Notes } from './notes.js';
import { Numbering } from './numbering.js';
import { ParagraphReader } from './paragraph-text.js';
import { Styles } from './styles.js';
import { remark, type RemarkCode } from '../../remarks.js';

const BODY = ['w:p', 'w:tbl', 'w:altChunk'];

/** Reads Word documents (.docx, .docm, .dotx). They have no pages: page breaks depend on the printer. */
export const readDocx: ReadPages = async function* ({ bytes }) {
  const file = await OfficePackage.open(bytes);
  const document = file.mainPart('word/document.xml');
  if (!document) throw new DocumentRefused(remark('NOT_ITS_FORMAT', { extension: '.docx' }));
  const parts = partsOf(file, document.name);
  for (const markdown of piecesOf(blocksOf(file, document, parts))) yield { number: null, markdown };
  return { pages: null, warnings: file.losses.warnings() };
};

function* blocksOf(
  file: OfficePackage,
  document: { name: string; bytes: Uint8Array },
  parts: DocumentParts,
): Generator<Block> {
  yield* new DocumentBlocks(parts).of(bodyOf(file, document.bytes));
  for (const markdown of pageFrames(file, document.name, parts)) yield { markdown };
}

function* bodyOf(file: OfficePackage, bytes: Uint8Array): Generator<XmlElement> {
  for (const { element } of untilBroken(elementsOf(bytes, { whole: BODY }), file.losses)) yield element;
}

function partsOf(file: OfficePackage, documentPart: string): DocumentParts {
  const rootOf = (type: string, missing: RemarkCode): XmlElement | null =>
    file.find(file.relatedTo(documentPart, type), missing, (bytes) => elementOf(bytes));
  const styles = new Styles(rootOf('styles', 'STYLES_MISSING'));
  const paragraphs = new ParagraphReader(styles, file.losses);
  return {
    styles,
    numbering: new Numbering(rootOf('numbering', 'LIST_NUMBERS_MISSING'), styles),
    notes: new Notes(file, documentPart, paragraphs),
    paragraphs,
    frames: new FrameReader(file, file.relationshipsOf(documentPart)),
    losses: file.losses,
  };
}

/** The headers and footers, each once. Those with only a page number are left out. */
function pageFrames(file: OfficePackage, documentPart: string, { paragraphs }: DocumentParts): Set<string> {
  const texts = new Set<string>();
  for (const { type, target } of file.relationshipsOf(documentPart).values()) {
    if (type !== 'header' && type !== 'footer') continue;
    const root = file.find(target, 'HEADER_MISSING', (bytes) => elementOf(bytes));
    for (const words of root ? paragraphs.textsIn(root) : []) {
      const text = paragraph(words);
      if (saysMore(text)) texts.add(text);
    }
  }
  return texts;
}
