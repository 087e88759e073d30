import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';

import { DocumentRefused } from '../../parsed-document.js';
import { nameOf } from './namespaces.js';
import type { XmlElement, XmlNode } from './xml-element.js';
import { remark } from '../../remarks.js';

/** More than any office program nests. The readers recurse as deep as the elements. */
const MAX_DEPTH = 256;
const SLICE_BYTES = 65_536;

/** What to read of an XML file. */
export interface Wanted {
  /** Names of elements that are given with their content; null: the root. */
  whole: readonly string[] | null;
  /** Names of elements that are given with their attributes only, when they begin. */
  opened?: readonly string[];
}

export interface FoundElement {
  element: XmlElement;
  /** The name of its parent; empty: it is the root. */
  parent: string;
}

/**
 * The wanted elements in order; others are not held. Matches inside another match are not given again. Only the five
 * entities of XML are known, and nothing is fetched. Throws if the XML is not well-formed.
 */
export function* elementsOf(bytes: Uint8Array, wanted: Wanted): Generator<FoundElement> {
  const builder = new ElementBuilder(wanted.whole && new Set(wanted.whole), new Set(wanted.opened));
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let start = 0; start < bytes.byteLength; start += SLICE_BYTES) {
    builder.write(decoder.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: true }));
    yield* builder.taken();
  }
  builder.write(decoder.decode());
  builder.end();
  yield* builder.taken();
}

/** The root. Throws if there is none. */
export function elementOf(bytes: Uint8Array): XmlElement {
  for (const { element } of elementsOf(bytes, { whole: null })) return element;
  throw new Error('The XML has no element.');
}

class ElementBuilder {
  /** Some files use prefixes that they declare nowhere: saxes would refuse them. */
  private readonly parser = new SaxesParser({
    position: false,
    xmlns: true,
    resolvePrefix: (prefix: string) => prefix,
  });
  private readonly open: string[] = [];
  private readonly building: (XmlElement & { children: XmlNode[] })[] = [];
  private found: FoundElement[] = [];

  constructor(
    private readonly whole: ReadonlySet<string> | null,
    private readonly opened: ReadonlySet<string>,
  ) {
    this.parser.on('opentag', (tag) => this.begin(tag));
    this.parser.on('closetag', () => this.close());
    this.parser.on('text', (text) => this.building.at(-1)?.children.push(text));
    this.parser.on('cdata', (text) => this.building.at(-1)?.children.push(text));
    this.parser.on('doctype', (doctype) => refuseDefinitions(doctype));
  }

  /** Replaces characters that XML forbids. Many files have them. */
  write(text: string): void {
    this.parser.write(text.replaceAll(/[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' '));
  }

  end(): void {
    this.parser.close();
  }

  taken(): FoundElement[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private begin(tag: SaxesTagNS): void {
    if (this.open.length >= MAX_DEPTH) throw nestedTooDeep();
    const parent = this.open.at(-1);
    const name = nameOf(tag);
    this.open.push(name);
    const isInner = this.building.length > 0;
    const isWhole = isInner || (this.whole ? this.whole.has(name) : parent === undefined);
    if (!isWhole && !this.opened.has(name)) return;
    const element = { name, attributes: attributesOf(tag.attributes), children: [] };
    if (!isWhole) this.found.push({ element, parent: parent ?? '' });
    else {
      this.building.at(-1)?.children.push(element);
      this.building.push(element);
    }
  }

  private close(): void {
    this.open.pop();
    const element = this.building.pop();
    if (element && this.building.length === 0) this.found.push({ element, parent: this.open.at(-1) ?? '' });
  }
}

/** Most cells have no attributes, so they share one object. */
const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});

function attributesOf(raw: Readonly<Record<string, SaxesAttributeNS>>): Readonly<Record<string, string>> {
  let attributes: Record<string, string> | null = null;
  for (const name in raw) {
    const attribute = raw[name];
    if (attribute) (attributes ??= {})[nameOf(attribute)] = attribute.value;
  }
  return attributes ?? NO_ATTRIBUTES;
}

/** Old OpenDocument files refer to an external DTD, which is ignored. Entity definitions are refused. */
function refuseDefinitions(doctype: string): void {
  if (doctype.includes('[')) throw new DocumentRefused(remark('DEFINES_ENTITIES'));
}

function nestedTooDeep(): DocumentRefused {
  return new DocumentRefused(remark('FRAMES_NESTED_TOO_DEEP', { most: MAX_DEPTH }));
}

/** By the byte order mark or the first bytes, else by the XML declaration, else UTF-8. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  const declaration = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const encoding = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    declaration,
  )?.[1];
  // The declaration could be read as single bytes, so it is no UTF-16.
  if (encoding === undefined || /^utf-?16|ucs/i.test(encoding)) return 'utf-8';
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    return 'utf-8';
  }
}
