/** An element with its content. Names have the prefixes of `nameOf`. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlElement | string;

export function childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** The first element at a path of names; undefined: there is none. */
export function childAt(
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement | undefined {
  let found = element;
  for (const name of names)
    found = found?.children.find(
      (child): child is XmlElement => typeof child !== 'string' && child.name === name,
    );
  return found;
}

/** The descendants with one of these names, in order. Those inside another match are left out. */
export function* descendantsOf(element: XmlElement, ...names: readonly string[]): Generator<XmlElement> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (names.includes(child.name)) yield child;
    else yield* descendantsOf(child, ...names);
  }
}

/** More is a cycle. */
const MAX_ANCESTORS = 20;

/** A style first, then those that it is based on. */
export function ancestryOf(
  style: XmlElement | undefined,
  baseOf: (style: XmlElement) => XmlElement | undefined,
): XmlElement[] {
  const ancestry: XmlElement[] = [];
  for (let each = style; each && ancestry.length < MAX_ANCESTORS; each = baseOf(each)) ancestry.push(each);
  return ancestry;
}

export function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('');
}

/** A boolean property such as `<w:b/>`, which is on unless its value says no. */
export function isOn(element: XmlElement | undefined, attribute: string): boolean {
  return (
    element !== undefined && !['0', 'false', 'off', 'none'].includes(element.attributes[attribute] ?? '1')
  );
}

/** A whole number; null: missing or none. */
export function integerOf(value: string | undefined): number | null {
  return value !== undefined && /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value) : null;
}

/** The first choice of alternative contents, which is the richest, or else the fallback. */
export function alternativeOf(element: XmlElement): XmlElement | undefined {
  return childAt(element, 'mc:Choice') ?? childAt(element, 'mc:Fallback');
}
