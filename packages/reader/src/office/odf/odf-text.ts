import { atHeight } from '../markdown/raised-text.js';
import type { Losses } from '../package/losses.js';
import { childrenOf, integerOf, type XmlElement } from '../xml/xml-element.js';
import type { OdfStyles } from './odf-styles.js';

export interface OdfParagraph {
  text: string;
  /** The contents of notes (text:note-body). */
  notes: XmlElement[];
  /** Frames and shapes (draw:…) that are anchored in it. */
  frames: XmlElement[];
}

const LEFT_OUT = new Set([
  'office:annotation-end',
  'text:ruby-text',
  'text:note-citation',
  'text:hidden-text',
  'text:tracked-changes',
  'office:event-listeners',
]);

const MAX_SPACES = 100;

/** Reads paragraphs (text:p, text:h) without comments, hidden text and tracked deletions. */
export class OdfText {
  private notesSoFar = 0;

  constructor(
    private readonly styles: OdfStyles,
    private readonly losses: Losses,
  ) {}

  read(paragraph: XmlElement): OdfParagraph {
    const read: OdfParagraph = { text: '', notes: [], frames: [] };
    this.readChildren(paragraph, read);
    return read;
  }

  /** Counts comments of an element that is not a paragraph. */
  tellComments(element: XmlElement): void {
    this.losses.count('COMMENTS_LEFT_OUT', childrenOf(element, 'office:annotation').length);
  }

  private readChildren(element: XmlElement, read: OdfParagraph): void {
    for (const child of element.children)
      if (typeof child !== 'string') this.readPart(child, read);
      // Line breaks in the XML are just white space.
      else read.text += child.replaceAll(/[\t\r\n ]+/g, ' ');
  }

  private readPart(element: XmlElement, read: OdfParagraph): void {
    switch (element.name) {
      case 'text:s':
        read.text += ' '.repeat(Math.min(integerOf(element.attributes['text:c']) ?? 1, MAX_SPACES));
        return;
      case 'text:tab':
        read.text += ' ';
        return;
      case 'text:line-break':
        read.text += '\n';
        return;
      case 'office:annotation':
        return this.losses.count('COMMENTS_LEFT_OUT');
      case 'text:note':
        return this.readNote(element, read);
      case 'text:span':
        return this.readSpan(element, read);
      default:
        if (element.name.startsWith('draw:') && element.name !== 'draw:a') read.frames.push(element);
        else if (!LEFT_OUT.has(element.name)) this.readChildren(element, read);
    }
  }

  private readSpan(span: XmlElement, read: OdfParagraph): void {
    const style = span.attributes['text:style-name'];
    if (this.styles.isHidden(style)) return this.losses.add('HIDDEN_TEXT_LEFT_OUT');
    const before = read.text;
    read.text = '';
    this.readChildren(span, read);
    read.text = before + atHeight(read.text, this.styles.heightOf(style));
  }

  private readNote(note: XmlElement, read: OdfParagraph): void {
    this.notesSoFar++;
    read.text += `[^${this.notesSoFar}]`;
    const body = note.children.find(
      (child): child is XmlElement => typeof child !== 'string' && child.name === 'text:note-body',
    );
    read.notes.push(body ?? { name: '', attributes: {}, children: [] });
  }

  /** The number of the first note of a paragraph that was just read. */
  firstNoteOf({ notes }: OdfParagraph): number {
    return this.notesSoFar - notes.length + 1;
  }
}
