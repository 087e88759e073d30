/** Namespaces of Office Open XML, as the transitional and as the strict standard name them. */
function ooxml(part: string, folder: string): string[] {
  return [
    `http://schemas.openxmlformats.org/${part}/2006/${folder}`,
    `http://purl.oclc.org/ooxml/${part}/${folder}`,
  ];
}

/** The prefixes that the readers use, whatever prefixes a file declares. */
const namespaces: Readonly<Record<string, readonly string[]>> = {
  w: ooxml('wordprocessingml', 'main'),
  x: ooxml('spreadsheetml', 'main'),
  p: ooxml('presentationml', 'main'),
  p188: ['http://schemas.microsoft.com/office/powerpoint/2018/8/main'],
  a: ooxml('drawingml', 'main'),
  c: ooxml('drawingml', 'chart'),
  dgm: ooxml('drawingml', 'diagram'),
  m: ooxml('officeDocument', 'math'),
  r: ooxml('officeDocument', 'relationships'),
  rel: ['http://schemas.openxmlformats.org/package/2006/relationships'],
  mc: ['http://schemas.openxmlformats.org/markup-compatibility/2006'],
  v: ['urn:schemas-microsoft-com:vml'],
  math: ['http://www.w3.org/1998/Math/MathML'],
  office: ['urn:oasis:names:tc:opendocument:xmlns:office:1.0'],
  text: ['urn:oasis:names:tc:opendocument:xmlns:text:1.0'],
  table: ['urn:oasis:names:tc:opendocument:xmlns:table:1.0'],
  draw: ['urn:oasis:names:tc:opendocument:xmlns:drawing:1.0'],
  presentation: ['urn:oasis:names:tc:opendocument:xmlns:presentation:1.0'],
  style: ['urn:oasis:names:tc:opendocument:xmlns:style:1.0'],
  svg: ['urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0'],
  manifest: ['urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'],
};

const prefixes: ReadonlyMap<string, string> = new Map(
  Object.entries(namespaces).flatMap(([prefix, uris]) => uris.map((uri) => [uri, prefix] as const)),
);

/** Resolves the names of an element and its descendants. */
export class NameScope {
  private readonly elements = new Map<string, string>();
  private readonly attributes = new Map<string, string>();

  private constructor(private readonly declared: ReadonlyMap<string, string>) {}

  static readonly outermost = new NameScope(new Map());

  /** The scope inside an element with these attributes; the same scope if it declares nothing. */
  within(attributes: Readonly<Record<string, string>>): NameScope {
    let declared: Map<string, string> | null = null;
    for (const name in attributes)
      if (name === 'xmlns' || name.startsWith('xmlns:'))
        (declared ??= new Map(this.declared)).set(name.slice(6), attributes[name] ?? '');
    return declared ? new NameScope(declared) : this;
  }

  element(name: string): string {
    return cached(this.elements, name, () => this.named(name, true));
  }

  /** An attribute without a prefix has no namespace. */
  attribute(name: string): string {
    return cached(this.attributes, name, () => this.named(name, false));
  }

  private named(name: string, isElement: boolean): string {
    const colon = name.indexOf(':');
    if (colon < 0 && !isElement) return name;
    const uri = this.declared.get(name.slice(0, Math.max(0, colon)));
    const prefix = uri === undefined ? undefined : prefixes.get(uri);
    return prefix === undefined ? name : `${prefix}:${name.slice(colon + 1)}`;
  }
}

const MAX_CACHED = 10_000;

function cached(names: Map<string, string>, name: string, find: () => string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const found = find();
  if (names.size < MAX_CACHED) names.set(name, found);
  return found;
}
