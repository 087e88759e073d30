import { heightOfAlignment, type TextHeight } from '../markdown/raised-text.js';
import { ancestryOf, childAt, childrenOf, integerOf, isOn, type XmlElement } from '../xml/xml-element.js';

/** The properties that a style gives to a paragraph or to words. */
export interface Style {
  /** From 1; null: no heading. */
  headingLevel: number | null;
  /** An entry of a table of contents, which repeats a heading. */
  isContents: boolean;
  isHidden: boolean;
  height: TextHeight;
  /** The list of the paragraph. */
  list: { id: string | null; level: number | null };
  /** The nesting depth of its items. Word has a separate style for each depth. */
  listDepth: number;
}

/** Word names its built-in styles in English in every language. Other programs and converters do not. */
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

/** The styles of a document by id. */
export class Styles {
  private readonly elements = new Map<string, XmlElement>();
  private readonly known = new Map<string, Style>();

  constructor(root: XmlElement | null) {
    for (const style of childrenOf(root ?? undefined, 'w:style'))
      this.elements.set(style.attributes['w:styleId'] ?? '', style);
  }

  /** A style with everything that it inherits. */
  get(id: string | undefined): Style {
    if (id === undefined) return plain;
    const known = this.known.get(id);
    if (known) return known;
    const ancestry = ancestryOf(this.elements.get(id), (element) =>
      this.elements.get(childAt(element, 'w:basedOn')?.attributes['w:val'] ?? ''),
    );
    const style = ancestry.reduceRight((base, element) => extended(base, element), plain);
    // Some files refer to missing styles. The id is as informative as a name.
    const found = this.elements.has(id) ? style : { ...style, headingLevel: levelByName(id) };
    this.known.set(id, found);
    return found;
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

/** The height of words with these properties; `inherited` if they do not set it. */
export function heightOf(properties: XmlElement | undefined, inherited: TextHeight): TextHeight {
  const align = childAt(properties, 'w:vertAlign')?.attributes['w:val'];
  return align === undefined ? inherited : heightOfAlignment(align);
}

/** From 1; null: the properties set no level, or say that it is not a heading. */
export function outlineLevelOf(properties: XmlElement | undefined): number | null {
  const level = integerOf(childAt(properties, 'w:outlineLvl')?.attributes['w:val']);
  return level !== null && level >= 0 && level < 9 ? level + 1 : null;
}
