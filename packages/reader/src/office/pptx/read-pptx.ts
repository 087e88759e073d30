import type { ReadPages } from '../../page-reader.js';
import { DocumentRefused } from '../../parsed-document.js';
import { FrameReader } from '../drawing/frames.js';
import { joined, type Block } from '../markdown/pieces.js';
import { OfficePackage } from '../package/office-package.js';
import { childAt, childrenOf, isOn, type XmlElement } from '../xml/xml-element.js';
import { elementOf } from '../xml/xml-reader.js';
import { layoutPlaces, shapesInOrder, type LayoutPlaces } from './shapes.js';
import { isFurniture, shapeBlocks, textBlocks } from './slide-blocks.js';
import { remark } from '../../remarks.js';

/** Reads presentations (.pptx, .pptm, .ppsx, .potx). Each slide with its notes is a page. */
export const readPptx: ReadPages = async function* ({ bytes }) {
  const file = await OfficePackage.open(bytes);
  const main = file.mainPart('ppt/presentation.xml');
  if (!main) throw new DocumentRefused(remark('NOT_ITS_FORMAT', { extension: '.pptx' }));
  const relationships = file.relationshipsOf(main.name);
  const ids = childrenOf(childAt(elementOf(main.bytes), 'p:sldIdLst'), 'p:sldId');
  const slides = new Slides(file);
  for (const [index, { attributes }] of ids.entries()) {
    const part = relationships.get(attributes['r:id'] ?? '')?.target ?? null;
    const slide = slides.read(part, index + 1);
    if (slide?.isHidden) file.losses.count('HIDDEN_SLIDES');
    if (slide?.markdown === '') file.losses.count('SLIDES_WITHOUT_TEXT');
    yield { number: index + 1, markdown: slide?.markdown ?? '' };
  }
  return { pages: ids.length, warnings: file.losses.warnings() };
};

interface SlideText {
  /** Empty: it has no text. */
  markdown: string;
  isHidden: boolean;
}

/** Reads the slides of a presentation. */
class Slides {
  private readonly layouts = new Map<string, LayoutPlaces>();

  constructor(private readonly file: OfficePackage) {}

  /** Null: the slide is missing or damaged, and a warning was added. */
  read(part: string | null, number: number): SlideText | null {
    const root = this.file.find(part ?? '', remark('SLIDE_MISSING', { number }), (bytes) => elementOf(bytes));
    if (!root || part === null) return null;
    const isHidden = root.attributes['show'] !== undefined && !isOn(root, 'show');
    return { markdown: joined(this.blocksOf(root, part)), isHidden };
  }

  private *blocksOf(root: XmlElement, part: string): Generator<Block> {
    const relationships = this.file.relationshipsOf(part);
    const related = (type: string): string | null =>
      [...relationships.values()].find((relationship) => relationship.type === type)?.target ?? null;
    const frames = new FrameReader(this.file, relationships);
    const tree = childAt(root, 'p:cSld', 'p:spTree');
    for (const shape of shapesInOrder(tree, this.layoutOf(related('slideLayout'))))
      yield* shapeBlocks(shape, frames, this.file.losses);
    yield* this.notesOf(related('notesSlide'));
    this.file.countComments(part, 'p:cm', 'p188:cm');
  }

  private layoutOf(part: string | null): LayoutPlaces {
    if (part === null) return new Map();
    const known = this.layouts.get(part);
    if (known) return known;
    const root = this.file.find(part, 'LAYOUT_MISSING', (bytes) => elementOf(bytes));
    const places = root ? layoutPlaces(root) : new Map();
    this.layouts.set(part, places);
    return places;
  }

  private *notesOf(part: string | null): Generator<Block> {
    const root = this.file.find(part, 'NOTES_MISSING', (bytes) => elementOf(bytes));
    const shapes = childrenOf(childAt(root ?? undefined, 'p:cSld', 'p:spTree'), 'p:sp');
    const blocks = shapes
      .filter((shape) => !isFurniture(childAt(shape, 'p:nvSpPr', 'p:nvPr', 'p:ph')?.attributes['type']))
      .flatMap((shape) => {
        const body = childAt(shape, 'p:txBody');
        return body ? [...textBlocks(body, false)] : [];
      });
    if (blocks.length > 0) yield* [{ markdown: 'Notes:' }, ...blocks];
  }
}
