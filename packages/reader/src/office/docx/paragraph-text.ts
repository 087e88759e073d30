import { atHeight } from '../markdown/raised-text.js';
import { type Lost, commentsLeftOut, picturesLeftOut } from '../package/lost.js';
import {
  alternativeOf,
  childAt,
  childrenOf,
  descendantsOf,
  isOn,
  type XmlElement,
} from '../xml/xml-element.js';
import { boxOf, choiceOf } from './form-field.js';
import { formulaText } from './formula.js';
import { heightOf, type Style, type Styles } from './styles.js';
import { symbolOf } from './symbols.js';

/** A reference in the text to a note elsewhere. */
export interface NoteReference {
  kind: 'footnote' | 'endnote';
  id: string;
}

/** The words of a paragraph, and what hangs on it. */
export interface ParagraphText {
  text: string;
  notes: NoteReference[];
  /** Text boxes, charts and diagrams, in their order: w:txbxContent, c:chart or dgm:relIds. */
  frames: XmlElement[];
}

const hiddenLeftOut = 'Hidden text was left out.';

/** Reads paragraphs: what was inserted is in, what was deleted is out, and so are comments, field codes and hidden words. */
export class ParagraphReader {
  private notesSoFar = 0;
  /** Of a form's field that is open, unless its text is there as well. */
  private choice = '';

  constructor(
    private readonly styles: Styles,
    private readonly lost: Lost,
  ) {}

  read(paragraph: XmlElement): ParagraphText {
    const read: ParagraphText = { text: '', notes: [], frames: [] };
    this.choice = '';
    this.readChildren(paragraph, read);
    return read;
  }

  /** The words of the paragraphs in an element, each with those of its text boxes behind it. */
  textsIn(element: XmlElement): string[] {
    const texts: string[] = [];
    const open = [...descendantsOf(element, 'w:p')].toReversed();
    for (let paragraph = open.pop(); paragraph; paragraph = open.pop()) {
      const { text, frames } = this.read(paragraph);
      texts.push(text);
      const boxes = frames.filter(({ name }) => name === 'w:txbxContent');
      const within = boxes.flatMap((box) => [...descendantsOf(box, 'w:p')]);
      for (const each of within.toReversed()) open.push(each);
    }
    return texts;
  }

  /** The number of the first note that a paragraph refers to, when it has so many. */
  numberNotes(count: number): number {
    this.notesSoFar += count;
    return this.notesSoFar - count + 1;
  }

  private readChildren(element: XmlElement | undefined, read: ParagraphText): void {
    for (const child of childrenOf(element)) this.readPart(child, read);
  }

  private readPart(element: XmlElement, read: ParagraphText): void {
    switch (element.name) {
      case 'w:r':
        return this.readRun(element, read);
      case 'w:ins':
      case 'w:moveTo':
      case 'w:hyperlink':
      case 'w:smartTag':
      case 'w:sdt':
      case 'w:sdtContent':
      case 'w:fldSimple':
      case 'w:customXml':
      case 'w:dir':
      case 'w:bdo':
        return this.readChildren(element, read);
      case 'w:ruby':
        return this.readChildren(childAt(element, 'w:rubyBase'), read);
      case 'mc:AlternateContent':
        return this.readChildren(alternativeOf(element), read);
      case 'w:drawing':
      case 'w:pict':
        return this.readDrawing(element, read);
      case 'w:commentReference':
        return this.lost.count(commentsLeftOut);
      default:
        read.text += this.characters(element, read);
    }
  }

  private readRun(run: XmlElement, read: ParagraphText): void {
    const properties = childAt(run, 'w:rPr');
    const style = this.styles.get(childAt(properties, 'w:rStyle')?.attributes['w:val']);
    if (isHidden(properties, style)) return this.lost.tell(hiddenLeftOut);
    const before = read.text;
    read.text = '';
    this.readChildren(run, read);
    read.text = before + atHeight(read.text, heightOf(properties, style.height));
  }

  private characters(element: XmlElement, read: ParagraphText): string {
    switch (element.name) {
      case 'w:t': {
        const text = element.children.filter((child) => typeof child === 'string').join('');
        if (text.trim() !== '') this.choice = '';
        return text;
      }
      case 'w:fldChar':
        return this.field(element);
      case 'w:tab':
      case 'w:ptab':
        return ' ';
      case 'w:br':
        return element.attributes['w:type'] === undefined || element.attributes['w:type'] === 'textWrapping'
          ? '\n'
          : ' ';
      case 'w:cr':
        return '\n';
      case 'w:noBreakHyphen':
        return '-';
      case 'w:sym': {
        const code = Number.parseInt(element.attributes['w:char'] ?? '', 16);
        return Number.isNaN(code) ? '' : symbolOf(element.attributes['w:font'] ?? '', code);
      }
      case 'm:oMath':
      case 'm:oMathPara':
        return formulaText(element);
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return this.reference(element, read);
      default:
        return '';
    }
  }

  private field(element: XmlElement): string {
    const type = element.attributes['w:fldCharType'];
    if (type !== 'begin' && type !== 'end') return '';
    const { choice } = this;
    this.choice = type === 'begin' ? choiceOf(element) : '';
    return type === 'begin' ? boxOf(element) : choice;
  }

  private reference(element: XmlElement, read: ParagraphText): string {
    const kind = element.name === 'w:footnoteReference' ? 'footnote' : 'endnote';
    read.notes.push({ kind, id: element.attributes['w:id'] ?? '' });
    return `[^${this.notesSoFar + read.notes.length}]`;
  }

  private readDrawing(element: XmlElement, read: ParagraphText): void {
    for (const child of childrenOf(element))
      if (child.name === 'mc:AlternateContent') this.readDrawing(alternativeOf(child) ?? nothing, read);
      else if (['w:txbxContent', 'c:chart', 'dgm:relIds'].includes(child.name)) read.frames.push(child);
      else if (child.name === 'a:blip' || child.name === 'v:imagedata') this.lost.count(picturesLeftOut);
      else this.readDrawing(child, read);
  }
}

function isHidden(properties: XmlElement | undefined, style: Style): boolean {
  const hidden = childAt(properties, 'w:vanish');
  return hidden ? isOn(hidden, 'w:val') : style.isHidden;
}

const nothing: XmlElement = { name: '', attributes: {}, children: [] };
