import type { Block } from '../markdown/pieces.js';
import { listItem } from '../markdown/text.js';
import type { OfficePackage, Relationship } from '../package/office-package.js';
import { childAt, descendantsOf, type XmlElement } from '../xml/xml-element.js';
import { elementOf } from '../xml/xml-reader.js';
import { chartBlocks } from './chart.js';
import { drawingText } from './drawing-text.js';

/** Reads charts (c:chart) and diagrams (dgm:relIds). They are in parts of their own. */
export class FrameReader {
  constructor(
    private readonly file: OfficePackage,
    private readonly relationships: ReadonlyMap<string, Relationship>,
  ) {}

  blocksOf(frame: XmlElement): Block[] {
    const id = frame.name === 'c:chart' ? frame.attributes['r:id'] : frame.attributes['r:dm'];
    const part = this.relationships.get(id ?? '')?.target;
    const missing = frame.name === 'c:chart' ? 'CHART_MISSING' : 'DIAGRAM_MISSING';
    const root = this.file.find(part, missing, (bytes) => elementOf(bytes));
    if (!root) return [];
    return frame.name === 'c:chart' ? chartBlocks(root) : diagramBlocks(root);
  }
}

/** The texts of a diagram, one item for each box and for each connection that has a text. */
function diagramBlocks(root: XmlElement): Block[] {
  const points = childAt(root, 'dgm:ptLst');
  if (!points) return [];
  return [...descendantsOf(points, 'dgm:t')].flatMap((text) => {
    const words = [...descendantsOf(text, 'a:p')].map(drawingText).join(' ');
    return [{ markdown: listItem(0, '-', words), isItem: true }];
  });
}
