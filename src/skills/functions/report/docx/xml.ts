/** Markup that is whole: elements are put together, never strings. */
export interface Xml {
  readonly markup: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;
type Child = Xml | string | null | false;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/** An element; texts among its children are escaped, and what is null or false is left out. */
export const element = (name: string, attributes: Attributes = {}, ...children: readonly Child[]): Xml => {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = [name, ...given.map(([key, value]) => `${key}="${escaped(String(value))}"`)].join(' ');
  const inner = children.map(markupOf).join('');
  return { markup: inner === '' ? `<${start}/>` : `<${start}>${inner}</${name}>` };
};

const markupOf = (child: Child): string => {
  if (child === null || child === false) return '';
  return typeof child === 'string' ? escaped(child) : child.markup;
};

/** A part of the package. */
export const documentOf = (root: Xml): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${root.markup}`;

const office = 'http://schemas.openxmlformats.org';

export const namespaces = {
  'xmlns:w': `${office}/wordprocessingml/2006/main`,
  'xmlns:r': `${office}/officeDocument/2006/relationships`,
  'xmlns:wp': `${office}/drawingml/2006/wordprocessingDrawing`,
  'xmlns:a': `${office}/drawingml/2006/main`,
  'xmlns:c': `${office}/drawingml/2006/chart`,
} as const;

const officeDocument = `${office}/officeDocument/2006/relationships`;

export const relationTypes = {
  document: `${officeDocument}/officeDocument`,
  extended: `${officeDocument}/extended-properties`,
  core: `${office}/package/2006/relationships/metadata/core-properties`,
  styles: `${officeDocument}/styles`,
  settings: `${officeDocument}/settings`,
  numbering: `${officeDocument}/numbering`,
  header: `${officeDocument}/header`,
  footer: `${officeDocument}/footer`,
  chart: `${officeDocument}/chart`,
  package: `${officeDocument}/package`,
  hyperlink: `${officeDocument}/hyperlink`,
} as const;

export interface Relation {
  id: string;
  type: keyof typeof relationTypes;
  target: string;
}

export const relationsPart = (relations: readonly Relation[]): string =>
  documentOf(
    element(
      'Relationships',
      { xmlns: `${office}/package/2006/relationships` },
      ...relations.map(({ id, type, target }) =>
        element('Relationship', {
          Id: id,
          Type: relationTypes[type],
          Target: target,
          TargetMode: type === 'hyperlink' ? 'External' : undefined,
        }),
      ),
    ),
  );
