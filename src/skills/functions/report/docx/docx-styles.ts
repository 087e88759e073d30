import { colours } from '../look.js';
import { border, sheet } from './docx-text.js';
import { documentOf, element, namespaces, type Xml } from './xml.js';

interface Look {
  id: string;
  name: string;
  /** In points. */
  size: number;
  colour?: string;
  isBold?: boolean;
  before?: number;
  after?: number;
  /** Of a heading: 0 is the highest. */
  level?: number;
  indent?: number;
  hanging?: number;
  bullets?: boolean;
  fill?: string;
  /** A thick line at the left. */
  edge?: string;
  /** A line below. */
  rule?: string;
}

const looks: readonly Look[] = [
  { id: 'Title', name: 'Title', size: 28, isBold: true, before: 120, after: 240 },
  {
    id: 'Subtitle',
    name: 'Subtitle',
    size: 14,
    isBold: true,
    colour: colours.accent,
    before: 3600,
    after: 0,
  },
  { id: 'Company', name: 'Company', size: 17, isBold: true, before: 240, after: 60 },
  { id: 'CoverDate', name: 'Cover date', size: 10.5, after: 480 },
  {
    id: 'Heading1',
    name: 'heading 1',
    size: 17,
    isBold: true,
    colour: colours.accent,
    before: 360,
    after: 160,
    level: 0,
    rule: colours.accent,
  },
  { id: 'Heading2', name: 'heading 2', size: 12.5, isBold: true, before: 220, after: 60, level: 1 },
  { id: 'ListBullet', name: 'List Bullet', size: 10.5, after: 60, indent: 360, hanging: 260, bullets: true },
  { id: 'SourceText', name: 'Source text', size: 9, after: 80, indent: 420, hanging: 420 },
  { id: 'TableText', name: 'Table text', size: 9, after: 0 },
  { id: 'TableHead', name: 'Table head', size: 9, isBold: true, after: 0 },
  { id: 'Figure', name: 'Figure', size: 19, isBold: true, colour: colours.accent, after: 0 },
  { id: 'FigureSmall', name: 'Figure small', size: 13.5, isBold: true, colour: colours.accent, after: 0 },
  { id: 'Muted', name: 'Muted', size: 9, colour: colours.muted, after: 0 },
  { id: 'ChartTitle', name: 'Chart title', size: 10.5, isBold: true, before: 120, after: 60 },
  {
    id: 'Note',
    name: 'Note',
    size: 9.5,
    before: 120,
    after: 160,
    indent: 180,
    fill: colours.tint,
    edge: colours.accent,
  },
  {
    id: 'Caution',
    name: 'Caution',
    size: 9.5,
    before: 120,
    after: 160,
    indent: 180,
    fill: colours.cautionTint,
    edge: colours.caution,
  },
  { id: 'Gap', name: 'Gap', size: 5, after: 0 },
];

const halfPoints = (size: number): Xml[] => [
  element('w:sz', { 'w:val': Math.round(size * 2) }),
  element('w:szCs', { 'w:val': Math.round(size * 2) }),
];

const bar = (side: string, colour: string, size: number, space: number): Xml =>
  element(`w:${side}`, { 'w:val': 'single', 'w:sz': size, 'w:space': space, 'w:color': colour });

const paragraphProperties = (look: Look): Xml => {
  const { level, bullets, edge, rule, fill, before = 0, after = 120, indent, hanging } = look;
  const hasBorder = edge !== undefined || rule !== undefined;
  return element(
    'w:pPr',
    {},
    (level !== undefined || look.id === 'ChartTitle') && element('w:keepNext'),
    level !== undefined && element('w:keepLines'),
    bullets === true &&
      element('w:numPr', {}, element('w:ilvl', { 'w:val': 0 }), element('w:numId', { 'w:val': 1 })),
    hasBorder &&
      element(
        'w:pBdr',
        {},
        edge !== undefined && bar('left', edge, 24, 8),
        rule !== undefined && bar('bottom', rule, 6, 2),
      ),
    fill !== undefined && element('w:shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': fill }),
    element('w:spacing', { 'w:before': before, 'w:after': after }),
    indent !== undefined && element('w:ind', { 'w:left': indent, 'w:hanging': hanging }),
    level !== undefined && element('w:outlineLvl', { 'w:val': level }),
  );
};

const styleOf = (look: Look): Xml =>
  element(
    'w:style',
    {
      'w:type': 'paragraph',
      'w:customStyle': /^(Title|Subtitle|Heading\d|ListBullet)$/.test(look.id) ? undefined : 1,
      'w:styleId': look.id,
    },
    element('w:name', { 'w:val': look.name }),
    element('w:basedOn', { 'w:val': 'Normal' }),
    element('w:qFormat'),
    paragraphProperties(look),
    element(
      'w:rPr',
      {},
      look.isBold === true && element('w:b'),
      look.isBold === true && element('w:bCs'),
      look.colour !== undefined && element('w:color', { 'w:val': look.colour }),
      ...halfPoints(look.size),
    ),
  );

const eastAsian: Readonly<Record<string, string>> = { zh: 'zh-TW', ja: 'ja-JP', ko: 'ko-KR' };

const defaults = (language: string): Xml =>
  element(
    'w:docDefaults',
    {},
    element(
      'w:rPrDefault',
      {},
      element(
        'w:rPr',
        {},
        element('w:rFonts', {
          'w:ascii': 'Calibri',
          'w:hAnsi': 'Calibri',
          'w:eastAsia': 'Microsoft JhengHei',
          'w:cs': 'Arial',
        }),
        element('w:color', { 'w:val': colours.ink }),
        ...halfPoints(10.5),
        element('w:lang', {
          'w:val': language,
          'w:eastAsia': eastAsian[language.split('-', 1)[0] ?? ''] ?? 'zh-TW',
          'w:bidi': 'ar-SA',
        }),
      ),
    ),
    element(
      'w:pPrDefault',
      {},
      element('w:pPr', {}, element('w:spacing', { 'w:after': 120, 'w:line': 264, 'w:lineRule': 'auto' })),
    ),
  );

export const stylesPart = (language: string): string =>
  documentOf(
    element(
      'w:styles',
      { 'xmlns:w': namespaces['xmlns:w'] },
      defaults(language),
      element(
        'w:style',
        { 'w:type': 'paragraph', 'w:default': 1, 'w:styleId': 'Normal' },
        element('w:name', { 'w:val': 'Normal' }),
        element('w:qFormat'),
      ),
      ...looks.map(styleOf),
      element(
        'w:style',
        { 'w:type': 'character', 'w:styleId': 'Hyperlink' },
        element('w:name', { 'w:val': 'Hyperlink' }),
        element(
          'w:rPr',
          {},
          element('w:color', { 'w:val': colours.link }),
          element('w:u', { 'w:val': 'single' }),
        ),
      ),
    ),
  );

/** Bullets. */
export const numberingPart = (): string =>
  documentOf(
    element(
      'w:numbering',
      { 'xmlns:w': namespaces['xmlns:w'] },
      element(
        'w:abstractNum',
        { 'w:abstractNumId': 0 },
        element('w:multiLevelType', { 'w:val': 'hybridMultilevel' }),
        element(
          'w:lvl',
          { 'w:ilvl': 0 },
          element('w:start', { 'w:val': 1 }),
          element('w:numFmt', { 'w:val': 'bullet' }),
          element('w:lvlText', { 'w:val': '•' }),
          element('w:lvlJc', { 'w:val': 'left' }),
        ),
      ),
      element('w:num', { 'w:numId': 1 }, element('w:abstractNumId', { 'w:val': 0 })),
    ),
  );

export const settingsPart = (): string =>
  documentOf(
    element(
      'w:settings',
      { 'xmlns:w': namespaces['xmlns:w'] },
      element('w:zoom', { 'w:percent': 100 }),
      element(
        'w:compat',
        {},
        element('w:compatSetting', {
          'w:name': 'compatibilityMode',
          'w:uri': 'http://schemas.microsoft.com/office/word',
          'w:val': 15,
        }),
      ),
    ),
  );

/** The one section: A4, a header from the second page on, a footer on all. */
export const section = (): Xml =>
  element(
    'w:sectPr',
    {},
    element('w:headerReference', { 'w:type': 'default', 'r:id': 'header' }),
    element('w:footerReference', { 'w:type': 'default', 'r:id': 'footer' }),
    element('w:footerReference', { 'w:type': 'first', 'r:id': 'footer' }),
    element('w:pgSz', { 'w:w': sheet.width, 'w:h': sheet.height }),
    element('w:pgMar', {
      'w:top': sheet.top,
      'w:right': sheet.side,
      'w:bottom': sheet.bottom,
      'w:left': sheet.side,
      'w:header': sheet.edge,
      'w:footer': sheet.edge,
      'w:gutter': 0,
    }),
    element('w:titlePg'),
  );

export const frameRule = (side: 'top' | 'bottom'): Xml =>
  element('w:pBdr', {}, border(side, colours.rule, 4));
