import {
  AlignmentType,
  BorderStyle,
  type IBaseParagraphStyleOptions,
  type IParagraphStyleOptions,
  type IStylesOptions,
  LevelFormat,
  ShadingType,
} from 'docx';

import { colours } from './look.js';

export const BULLETS = 'bullets';
export const bullet = {
  level: 0,
  format: LevelFormat.BULLET,
  text: '•',
  alignment: AlignmentType.LEFT,
  style: { paragraph: { indent: { left: 360, hanging: 260 } } },
} as const;

/** Sizes are in points, spaces in twips. */
interface Look {
  size: number;
  bold?: boolean;
  colour?: string;
  before?: number;
  after?: number;
  keepNext?: boolean;
  indent?: { left: number; hanging?: number };
  fill?: string;
  /** A thick line at the left. */
  edge?: string;
  /** A line below. */
  rule?: string;
}

function styleOf(look: Look): IBaseParagraphStyleOptions {
  return {
    basedOn: 'Normal',
    quickFormat: true,
    run: {
      size: look.size * 2,
      bold: look.bold ?? false,
      italics: false,
      ...(look.colour !== undefined && { color: look.colour }),
    },
    paragraph: {
      spacing: { before: look.before ?? 0, after: look.after ?? 0 },
      ...(look.keepNext && { keepNext: true, keepLines: true }),
      ...(look.indent && { indent: look.indent }),
      ...(look.fill !== undefined && {
        shading: { type: ShadingType.CLEAR, color: 'auto', fill: look.fill },
      }),
      ...(look.edge !== undefined && {
        border: { left: { style: BorderStyle.SINGLE, size: 24, space: 8, color: look.edge } },
      }),
      ...(look.rule !== undefined && {
        border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 2, color: look.rule } },
      }),
    },
  };
}

const note = { size: 9.5, before: 120, after: 160, indent: { left: 180 } } as const;

const looks: Readonly<Record<string, Look>> = {
  Subtitle: { size: 13, bold: true, colour: colours.accent },
  Company: { size: 14, bold: true, before: 80, after: 20 },
  ReportDate: { size: 10.5, after: 120 },
  BulletText: { size: 10.5, after: 60 },
  SourceText: { size: 9, after: 80, indent: { left: 420, hanging: 420 } },
  TableText: { size: 9 },
  TableHead: { size: 9, bold: true },
  Figure: { size: 19, bold: true, colour: colours.accent },
  FigureSmall: { size: 13.5, bold: true, colour: colours.accent },
  Muted: { size: 9, colour: colours.muted },
  ChartTitle: { size: 10.5, bold: true, before: 120, after: 60, keepNext: true },
  Note: { ...note, fill: colours.tint, edge: colours.accent },
  Caution: { ...note, fill: colours.cautionTint, edge: colours.caution },
  Gap: { size: 5 },
};

const eastAsian: Readonly<Record<string, string>> = { zh: 'zh-TW', ja: 'ja-JP', ko: 'ko-KR' };

export function stylesOf(language: string): IStylesOptions {
  return {
    default: {
      document: {
        run: {
          font: { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: 'Microsoft JhengHei', cs: 'Arial' },
          size: 21,
          color: colours.ink,
          language: { value: language, eastAsia: eastAsian[language.split('-', 1)[0] ?? ''] ?? 'zh-TW' },
        },
        paragraph: { spacing: { after: 120, line: 264 } },
      },
      title: styleOf({ size: 22, bold: true, before: 0, after: 80 }),
      heading1: styleOf({
        size: 17,
        bold: true,
        colour: colours.accent,
        before: 240,
        after: 100,
        keepNext: true,
        rule: colours.accent,
      }),
      heading2: styleOf({
        size: 12.5,
        bold: true,
        colour: colours.ink,
        before: 160,
        after: 60,
        keepNext: true,
      }),
      hyperlink: { run: { color: colours.link, underline: {} } },
    },
    paragraphStyles: Object.entries(looks).map(([id, look]): IParagraphStyleOptions => ({
      id,
      name: id,
      ...styleOf(look),
    })),
  };
}
