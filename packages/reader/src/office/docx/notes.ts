import { oneLine } from '../markdown/text.js';
import type { OfficePackage } from '../package/office-package.js';
import type { XmlElement } from '../xml/xml-element.js';
import { elementsOf } from '../xml/xml-reader.js';
import type { NoteReference, ParagraphReader } from './paragraph-text.js';

/** The footnotes and endnotes of a Word document. They are in parts of their own. */
export class Notes {
  private readonly byKind: Readonly<Record<NoteReference['kind'], ReadonlyMap<string, XmlElement>>>;

  constructor(
    file: OfficePackage,
    documentPart: string,
    private readonly reader: ParagraphReader,
  ) {
    const notesOf = (kind: NoteReference['kind']): ReadonlyMap<string, XmlElement> => {
      const part = file.relatedTo(documentPart, `${kind}s`);
      const read = (bytes: Uint8Array) => [...elementsOf(bytes, { whole: [`w:${kind}`] })];
      const found =
        file.find(part, kind === 'footnote' ? 'FOOTNOTES_MISSING' : 'ENDNOTES_MISSING', read) ?? [];
      return new Map(found.map(({ element }) => [element.attributes['w:id'] ?? '', element]));
    };
    this.byKind = { footnote: notesOf('footnote'), endnote: notesOf('endnote') };
  }

  /** The note's text on one line; empty: there is no such note. Notes within notes are left out. */
  textOf({ kind, id }: NoteReference): string {
    const note = this.byKind[kind].get(id);
    if (!note) return '';
    return oneLine(this.reader.textsIn(note).join(' '));
  }
}
