import { atHeight } from '../markdown/raised-text.js';
import type { Losses } from '../package/losses.js';
import {
  alternativeOf,
  childAt,
  childrenOf,
  descendantsOf,
  integerOf,
  isOn,
  textOf,
  type XmlElement,
} from '../xml/xml-element.js';
import { formulaText } from './formula.js';
import { heightOf, type Style, type Styles } from './styles.js';
import { symbolOf } from './symbols.js';

export interface NoteReference {
  kind: 'footnote' | 'endnote';
  id: string;
}

export interface ParagraphText {
  text: string;
  notes: NoteReference[];
  /** Text boxes, charts and diagrams in order: w:txbxContent, c:chart or dgm:relIds. */
  frames: XmlElement[];
}

/** Reads paragraphs with insertions. Leaves out deletions, comments, field codes and hidden text. */
export class ParagraphReader {
  private notesSoFar = 0;
  /** The choice of the open form field. It is used unless the text repeats it. */
  private choice = '';

  constructor(
    private readonly styles: Styles,
    private readonly losses: Losses,
  ) {}

  read(paragraph: XmlElement): ParagraphText {
    const read: ParagraphText = { text: '', notes: [], frames: [] };
    this.choice = '';
    this.readChildren(paragraph, read);
    return read;
  }

  /** The texts of all paragraphs in an element, each followed by those of its text boxes. */
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

  /** Numbers the next `count` notes; returns the number of the first. */
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
      case 'w:del':
      case 'w:moveFrom':
        return this.losses.add('CHANGES_ACCEPTED');
      case 'w:ins':
      case 'w:moveTo':
        this.losses.add('CHANGES_ACCEPTED');
        return this.readChildren(element, read);
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
        return this.losses.count('COMMENTS_LEFT_OUT');
      default:
        read.text += this.characters(element, read);
    }
  }

  private readRun(run: XmlElement, read: ParagraphText): void {
    const properties = childAt(run, 'w:rPr');
    const style = this.styles.get(childAt(properties, 'w:rStyle')?.attributes['w:val']);
    if (isHidden(properties, style)) return this.losses.add('HIDDEN_TEXT_LEFT_OUT');
    const before = read.text;
    read.text = '';
    this.readChildren(run, read);
    read.text = before + atHeight(read.text, heightOf(properties, style.height));
  }

  private characters(element: XmlElement, read: ParagraphText): string {
    switch (element.name) {
      case 'w:t': {
        const text = textOf(element);
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

  private readDrawing(element: XmlElement | undefined, read: ParagraphText): void {
    for (const child of childrenOf(element))
      if (child.name === 'mc:AlternateContent') this.readDrawing(alternativeOf(child), read);
      else if (['w:txbxContent', 'c:chart', 'dgm:relIds'].includes(child.name)) read.frames.push(child);
      else if (child.name === 'a:blip' || child.name === 'v:imagedata')
        this.losses.count('PICTURES_LEFT_OUT');
      else this.readDrawing(child, read);
  }
}

function isHidden(properties: XmlElement | undefined, style: Style): boolean {
  const hidden = childAt(properties, 'w:vanish');
  return hidden ? isOn(hidden, 'w:val') : style.isHidden;
}

/** The checkbox of a form field (w:fldChar), ticked or not. Empty: the field is something else. */
function boxOf(field: XmlElement): string {
  const box = childAt(field, 'w:ffData', 'w:checkBox');
  if (!box) return '';
  return isOn(childAt(box, 'w:checked') ?? childAt(box, 'w:default'), 'w:val') ? '☒' : '☐';
}

/** The selected entry of a drop-down field (w:fldChar). Programs may also write it as text behind the field. */
function choiceOf(field: XmlElement): string {
  const list = childAt(field, 'w:ffData', 'w:ddList');
  const chosen = childAt(list, 'w:result') ?? childAt(list, 'w:default');
  return (
    childrenOf(list, 'w:listEntry')[integerOf(chosen?.attributes['w:val']) ?? 0]?.attributes['w:val'] ?? ''
  );
}
