import type { TextHeight } from '../markdown/raised-text.js';

/** What is in force within a group, and forgotten at its end. */
export interface GroupState {
  /** What the group is for; null: it is part of the text. */
  destination: Destination | null;
  isSkipped: boolean;
  isHidden: boolean;
  height: TextHeight;
  font: number | null;
  /** Of Chinese, Japanese and Korean characters. */
  easternFont: number | null;
  isEastern: boolean;
  /** How many characters stand after one in Unicode, for programs that do not know that. */
  fallbackCharacters: number;
  paragraph: ParagraphState;
}

/** `frame`: what stands at the top or bottom of every page. */
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

/** How words look that nothing is said of. */
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

/** Groups that hold no text of the document. Those that begin with an asterisk are left out unless they are known. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'annotation',
  'atnid',
  'bkmkend',
  'bkmkstart',
  'colortbl',
  'comment',
  'datafield',
  'do',
  'filetbl',
  'fldinst',
  'ftncn',
  'ftnsep',
  'ftnsepc',
  'info',
  'listoverridetable',
  'listtable',
  'nonesttables',
  'nonshppict',
  'objclass',
  'objdata',
  'private',
  'revtbl',
  'rxe',
  'sn',
  'sp',
  'stextflow',
  'sv',
  'tc',
  'xe',
]);

/** Known groups that begin with an asterisk. */
export const STARRED: ReadonlySet<string> = new Set(['footnote', 'pntext', 'shpinst', 'shppict']);

/** Words that stand for a character. */
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
