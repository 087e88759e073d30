import type { TextHeight } from '../markdown/raised-text.js';
import { childAt, childrenOf, integerOf, isOn, type XmlElement } from '../xml/xml-element.js';

/** What a style makes of a paragraph, or of some words in it. */
export interface Style {
  /** From 1; null: no heading. */
  headingLevel: number | null;
  /** A line of a table of contents: it repeats a heading. */
  isContents: boolean;
  isHidden: boolean;
  height: TextHeight;
  /** The list that it belongs to. */
  list: { id: string | null; level: number | null };
  /** How far its items are below others: Word's own styles for that are lists of their own. */
  listDepth: number;
}

/** Word names its own styles in English in every language; other programs, and converters, do not. */
const headingNames =
  /^(?:heading|head|titre|überschrift|ueberschrift|título|titulo|encabezado|titolo|intestazione|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|cím|başlık|заголовок|标题|標題|見出し|제목|عنوان|tiêu đề)\s*(\d)$/iu;
const titleNames = /^(?:title|titre|titel|título|titolo|tytuł|标题|標題|表題|제목|название)$/iu;
const listNames = /^list (?:bullet|number) ([2-5])$/i;
const contentsNames = /^toc(?: |_|)\d$/i;

const plain: Style = {
  headingLevel: null,
  isContents: false,
  isHidden: false,
  height: null,
  list: { id: null, level: null },
  listDepth: 0,
};

const MAX_ANCESTORS = 20;

/** The styles of a document, by their ids. */
export class Styles {
  private readonly elements = new Map<string, XmlElement>();
  private readonly known = new Map<string, Style>();

  constructor(root: XmlElement | null) {
    for (const style of childrenOf(root ?? undefined, 'w:style'))
      this.elements.set(style.attributes['w:styleId'] ?? '', style);
  }

  /** A style with all that it has from those it is based on. */
  get(id: string | undefined): Style {
    if (id === undefined) return plain;
    const known = this.known.get(id);
    if (known) return known;
    const style = this.ancestryOf(id).reduceRight((base, element) => extended(base, element), plain);
    // Some files name styles that they do not have; the id tells as much as a name would.
    const found = this.elements.has(id) ? style : { ...style, headingLevel: levelByName(id) };
    this.known.set(id, found);
    return found;
  }

  /** The style first, then what it is based on. */
  private ancestryOf(id: string): XmlElement[] {
    const ancestry: XmlElement[] = [];
    let element = this.elements.get(id);
    while (element && ancestry.length < MAX_ANCESTORS) {
      ancestry.push(element);
      element = this.elements.get(childAt(element, 'w:basedOn')?.attributes['w:val'] ?? '');
    }
    return ancestry;
  }
}

function extended(base: Style, element: XmlElement): Style {
  const name = childAt(element, 'w:name')?.attributes['w:val'] ?? element.attributes['w:styleId'] ?? '';
  const properties = childAt(element, 'w:pPr');
  const hidden = childAt(element, 'w:rPr', 'w:vanish');
  return {
    headingLevel: outlineLevelOf(properties) ?? levelByName(name) ?? base.headingLevel,
    isContents: base.isContents || contentsNames.test(name),
    isHidden: hidden ? isOn(hidden, 'w:val') : base.isHidden,
    height: heightOf(childAt(element, 'w:rPr'), base.height),
    list: {
      id: childAt(properties, 'w:numPr', 'w:numId')?.attributes['w:val'] ?? base.list.id,
      level: integerOf(childAt(properties, 'w:numPr', 'w:ilvl')?.attributes['w:val']) ?? base.list.level,
    },
    listDepth: (integerOf(listNames.exec(name.trim())?.[1]) ?? base.listDepth + 1) - 1,
  };
}

export function levelByName(name: string): number | null {
  const level = integerOf(headingNames.exec(name.trim())?.[1]);
  return level ?? (titleNames.test(name.trim()) ? 1 : null);
}

/** Of words with these properties; `inherited` where they do not say. */
export function heightOf(properties: XmlElement | undefined, inherited: TextHeight): TextHeight {
  const align = childAt(properties, 'w:vertAlign')?.attributes['w:val'];
  if (align === undefined) return inherited;
  if (align === 'superscript') return 'raised';
  return align === 'subscript' ? 'lowered' : null;
}

/** From 1; null where the properties say nothing, or that this is no heading. */
export function outlineLevelOf(properties: XmlElement | undefined): number | null {
  const level = integerOf(childAt(properties, 'w:outlineLvl')?.attributes['w:val']);
  return level !== null && level >= 0 && level < 9 ? level + 1 : null;
}
