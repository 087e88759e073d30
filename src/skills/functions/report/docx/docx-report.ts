import { strToU8, type Zippable, zipSync } from 'fflate';

import {
  type Block,
  type BlockOf,
  type Chart,
  linkOf,
  type RenderedReport,
  type Report,
  type Source,
} from '../report.js';
import { chartDrawing, chartPart } from './docx-chart.js';
import { footerPart, headerPart } from './docx-frame.js';
import { numberingPart, section, settingsPart, stylesPart } from './docx-styles.js';
import { dataTable, factsTable, figuresTable } from './docx-table.js';
import { paragraph, text, words } from './docx-text.js';
import { documentOf, element, namespaces, type Relation, relationsPart, type Xml } from './xml.js';

/** What stands beside the text of a document, and is pointed at from it. */
interface Attachments {
  charts: Chart[];
  links: string[];
}

type Write<Type extends Block['type']> = (block: BlockOf<Type>, attachments: Attachments) => Xml[];

/** Tables need a paragraph between them, or Word makes one of them. */
const gap = paragraph({ style: 'Gap' });

const writeChart: Write<'chart'> = ({ title, chart }, { charts }) => {
  if (chart.values.length === 0) return [];
  charts.push(chart);
  const told = chart.values.map(({ label, text }) => `${label}: ${text}`).join('; ');
  return [
    words('ChartTitle', title),
    paragraph({}, chartDrawing(chart, `chart${charts.length}`, charts.length, `${title}. ${told}`)),
  ];
};

const writeSource = (source: Source, index: number, { links }: Attachments): Xml => {
  const link = linkOf(source);
  const runs = [text(`${index + 1}. ${source.text}`)];
  if (link !== null) {
    links.push(link);
    const shown = element(
      'w:r',
      {},
      element('w:rPr', {}, element('w:rStyle', { 'w:val': 'Hyperlink' })),
      element('w:t', {}, link),
    );
    runs.push(text(' '), element('w:hyperlink', { 'r:id': `link${links.length}` }, shown));
  }
  return paragraph({ style: 'SourceText' }, ...runs);
};

const writes: { [Type in Block['type']]: Write<Type> } = {
  heading: ({ level, text }) => [words(`Heading${level}`, text)],
  paragraph: ({ text: content }) => [paragraph({}, text(content))],
  list: ({ items }) => items.map((item) => words('ListBullet', item)),
  facts: ({ facts }) => (facts.length === 0 ? [] : [factsTable(facts), gap]),
  figures: ({ figures }) => (figures.length === 0 ? [] : [figuresTable(figures), gap]),
  note: ({ tone, text }) => [words(tone === 'caution' ? 'Caution' : 'Note', text)],
  table: (table) => [dataTable(table), gap],
  chart: writeChart,
  sources: ({ sources }, attachments) =>
    sources.map((source, index) => writeSource(source, index, attachments)),
};

const writeBlock = <Type extends Block['type']>(block: BlockOf<Type>, attachments: Attachments): Xml[] =>
  (writes[block.type as Type] as Write<Type>)(block, attachments);

const cover = ({ subtitle, title, company, date, facts }: Report): Xml[] => [
  words('Subtitle', subtitle),
  words('Title', title),
  words('Company', company),
  words('CoverDate', date),
  ...(facts.length === 0 ? [] : [factsTable(facts)]),
  paragraph({}, element('w:r', {}, element('w:br', { 'w:type': 'page' }))),
];

const documentPart = (report: Report, attachments: Attachments): string => {
  const blocks = report.blocks.flatMap((block) => writeBlock(block, attachments));
  return documentOf(
    element('w:document', namespaces, element('w:body', {}, ...cover(report), ...blocks, section())),
  );
};

const documentRelations = ({ charts, links }: Attachments): Relation[] => [
  { id: 'styles', type: 'styles', target: 'styles.xml' },
  { id: 'settings', type: 'settings', target: 'settings.xml' },
  { id: 'numbering', type: 'numbering', target: 'numbering.xml' },
  { id: 'header', type: 'header', target: 'header1.xml' },
  { id: 'footer', type: 'footer', target: 'footer1.xml' },
  ...charts.map((_, index) => ({
    id: `chart${index + 1}`,
    type: 'chart' as const,
    target: `charts/chart${index + 1}.xml`,
  })),
  ...links.map((target, index) => ({ id: `link${index + 1}`, type: 'hyperlink' as const, target })),
];

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const contentTypesPart = (charts: number): string => {
  const override = (name: string, type: string): Xml =>
    element('Override', { PartName: `/${name}`, ContentType: type });
  return documentOf(
    element(
      'Types',
      { xmlns: 'http://schemas.openxmlformats.org/package/2006/content-types' },
      element('Default', {
        Extension: 'rels',
        ContentType: 'application/vnd.openxmlformats-package.relationships+xml',
      }),
      element('Default', { Extension: 'xml', ContentType: 'application/xml' }),
      override('word/document.xml', `${word}.document.main+xml`),
      override('word/styles.xml', `${word}.styles+xml`),
      override('word/settings.xml', `${word}.settings+xml`),
      override('word/numbering.xml', `${word}.numbering+xml`),
      override('word/header1.xml', `${word}.header+xml`),
      override('word/footer1.xml', `${word}.footer+xml`),
      ...Array.from({ length: charts }, (_, index) =>
        override(
          `word/charts/chart${index + 1}.xml`,
          'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
        ),
      ),
      override('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'),
    ),
  );
};

const corePart = ({ title, subtitle, company, language, createdAt }: Report): string => {
  const date = (name: string): Xml =>
    element(
      `dcterms:${name}`,
      { 'xsi:type': 'dcterms:W3CDTF' },
      createdAt.toISOString().replace(/\.\d+Z$/, 'Z'),
    );
  return documentOf(
    element(
      'cp:coreProperties',
      {
        'xmlns:cp': 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties',
        'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
        'xmlns:dcterms': 'http://purl.org/dc/terms/',
        'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      },
      element('dc:title', {}, title),
      element('dc:subject', {}, subtitle),
      element('dc:creator', {}, company),
      element('dc:language', {}, language),
      date('created'),
      date('modified'),
    ),
  );
};

/** Writes a report as a Word document, with styles, repeated table heads and charts that Word draws itself. */
export const renderDocx = (report: Report): RenderedReport => {
  const attachments: Attachments = { charts: [], links: [] };
  const document = documentPart(report, attachments);
  const { charts } = attachments;
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypesPart(charts.length),
    '_rels/.rels': relationsPart([
      { id: 'document', type: 'document', target: 'word/document.xml' },
      { id: 'core', type: 'core', target: 'docProps/core.xml' },
    ]),
    'docProps/core.xml': corePart(report),
    'word/document.xml': document,
    'word/_rels/document.xml.rels': relationsPart(documentRelations(attachments)),
    'word/styles.xml': stylesPart(report.language),
    'word/settings.xml': settingsPart(),
    'word/numbering.xml': numberingPart(),
    'word/header1.xml': headerPart(report),
    'word/footer1.xml': footerPart(report),
    ...Object.fromEntries(
      charts.map((chart, index) => [`word/charts/chart${index + 1}.xml`, chartPart(chart)]),
    ),
  };
  return { format: 'docx', content: zipped(parts, report.createdAt), pages: null };
};

const zipped = (parts: Readonly<Record<string, string>>, mtime: Date): Uint8Array<ArrayBuffer> => {
  const files: Zippable = Object.fromEntries(
    Object.entries(parts).map(([name, content]) => [name, [strToU8(content), { mtime }]]),
  );
  return zipSync(files, { level: 6 });
};
