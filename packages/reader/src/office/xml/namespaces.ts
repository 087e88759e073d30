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

/** By namespace and local name, as they come: a sheet has a few names a million times. */
const known = new Map(
  Object.entries(namespaces).flatMap(([prefix, uris]) =>
    uris.map((uri) => [uri, { prefix, names: new Map<string, string>() }] as const),
  ),
);

/** The name that the readers use; one of another namespace, or of none, stays as it is written. */
export function nameOf({ name, local, uri }: { name: string; local: string; uri: string }): string {
  const found = known.get(uri);
  if (!found) return name;
  let named = found.names.get(local);
  if (named === undefined) found.names.set(local, (named = `${found.prefix}:${local}`));
  return named;
}
