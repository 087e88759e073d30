import { withoutAccents } from '../../../common/text/folded-text.js';
import { parseId } from '../../../common/ids.js';
import type { DocumentStatus } from '../../document-content.entity.js';

/** A document as far as it takes to find it by its name and to say how it stands. */
export interface NamedDocument {
  id: string;
  name: string;
  createdAt: Date;
  /** Null: its bytes have not come. */
  contentId: string | null;
  uploadError: string | null;
  status: DocumentStatus;
  error: string | null;
  /** Of its being read, 0 to 1. */
  progress: number;
}

const extension = /\.[a-z0-9]{1,5}$/u;

const folded = (text: string): string =>
  withoutAccents(text)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim();

const wordsOf = (text: string): string[] =>
  folded(text)
    .replace(extension, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const accents = /[\u0300-\u036f]/gu;

/** What the name of a document has in it that is called so, for ILIKE, both without accents. None: nothing in it is a word. */
export const patternsOf = (wanted: string): string[] => {
  const plain = wanted.normalize('NFKD').replaceAll(accents, '').toLowerCase().replace(extension, '');
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu))].slice(0, 20).map((word) => `%${word}%`);
};

const isCalled = (wanted: string): ((document: NamedDocument) => boolean)[] => {
  const wantedId = parseId(wanted);
  const whole = folded(wanted);
  const words = wordsOf(wanted);
  const bare = whole.replace(extension, '');
  return [
    ({ id, name }) => id === wantedId || folded(name) === whole,
    ({ name }) => folded(name).replace(extension, '') === bare,
    ({ name }) => {
      const named = wordsOf(name).join(' ');
      return words.length > 0 && words.every((word) => named.includes(word));
    },
  ];
};

/** Those that are meant most exactly, of documents with one content the newest alone. `documents`: newest first. */
export const meantBy = (wanted: string, documents: readonly NamedDocument[]): NamedDocument[] => {
  for (const is of isCalled(wanted)) {
    const meant = documents.filter(is);
    if (meant.length > 0) return oncePerContent(meant);
  }
  return [];
};

export const oncePerContent = (documents: readonly NamedDocument[]): NamedDocument[] =>
  [
    ...new Map(
      documents.toReversed().map((document) => [document.contentId ?? document.id, document]),
    ).values(),
  ].toReversed();
