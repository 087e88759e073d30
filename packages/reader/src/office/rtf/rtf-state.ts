import type { TextHeight } from '../markdown/raised-text.js';

export interface GroupState {
  /** The purpose of the group; null: it is part of the text. */
  destination: Destination | null;
  isSkipped: boolean;
  isHidden: boolean;
  height: TextHeight;
  font: number | null;
  /** The font of Chinese, Japanese and Korean characters. */
  easternFont: number | null;
  isEastern: boolean;
  /** The number of fallback characters after each Unicode character, for old programs. */
  fallbackCharacters: number;
  paragraph: ParagraphState;
}

/** `frame`: a header or footer. */
export type Destination = 'fonts' | 'styles' | 'label' | 'note' | 'frame';

export interface ParagraphState {
  style: number | null;
  /** From 1. */
  headingLevel: number | null;
  listLevel: number;
  isInTable: boolean;
}

export const newParagraph: ParagraphState = {
  style: null,
  headingLevel: null,
  listLevel: 0,
  isInTable: false,
};

export const plainText = {
  isHidden: false,
  height: null,
  font: null,
  easternFont: null,
  isEastern: false,
};

export const newGroup: GroupState = {
  ...plainText,
  destination: null,
  isSkipped: false,
  fallbackCharacters: 1,
  paragraph: newParagraph,
};

/** Groups without text of the document. Those with an asterisk are left out unless they are in STARRED. */
export const LEFT_OUT: ReadonlySet<string> = new Set(
  (
    'annotation atnid bkmkend bkmkstart colortbl comment datafield do filetbl fldinst ftncn ftnsep ftnsepc info listoverridetable ' +
    'listtable nonesttables nonshppict objclass objdata private revtbl rxe sn sp stextflow sv tc xe'
  ).split(' '),
);

/** Groups with an asterisk that are read. */
export const STARRED: ReadonlySet<string> = new Set(['footnote', 'pntext', 'shpinst', 'shppict']);

/** Control words that stand for a character. */
export const characters: Readonly<Record<string, string>> = {
  bullet: '•',
  emdash: '—',
  emspace: ' ',
  endash: '–',
  enspace: ' ',
  ldblquote: '“',
  line: '\n',
  lquote: '‘',
  nestcell: ' ',
  nestrow: ' ',
  qmspace: ' ',
  rdblquote: '”',
  rquote: '’',
  tab: ' ',
};
