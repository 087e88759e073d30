import { fold } from '@palabre/lexical';

import { parseId } from '../../common/ids.js';
import type { DocumentView } from '../document-view.js';

/** The fields by which a document is found. */
type Named = Pick<DocumentView, 'id' | 'name' | 'contentId'>;

const extension = /\.[a-z0-9]{1,5}$/u;

/** Words separated by single blanks. Points stay, for the extension. */
function plainName(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}.]+/gu, ' ')
    .trim();
}

function wordsIn(plain: string): string[] {
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const accents = /[\u0300-\u036f]/gu;

/**
 * ILIKE patterns for names that contain all words of `wanted`, without accents. They are compared with what SQL makes of
 * the names, so not folded further. Empty: it contains no word.
 */
export function namePatterns(wanted: string): string[] {
  const plain = wanted.normalize('NFKD').replaceAll(accents, '').toLowerCase().replace(extension, '');
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu))].slice(0, 20).map((word) => `%${word}%`);
}

function nameMatchers(wanted: string): ((document: Named) => boolean)[] {
  const wantedId = parseId(wanted);
  const whole = plainName(wanted);
  const bare = whole.replace(extension, '');
  const words = wordsIn(bare);
  return [
    ({ id, name }) => id === wantedId || plainName(name) === whole,
    ({ name }) => plainName(name).replace(extension, '') === bare,
    ({ name }) => {
      const named = wordsIn(plainName(name).replace(extension, '')).join(' ');
      return words.length > 0 && words.every((word) => named.includes(word));
    },
  ];
}

/** The documents that match most exactly; of those with the same content only the newest. `documents`: newest first. */
export function matchByName<Document extends Named>(
  wanted: string,
  documents: readonly Document[],
): Document[] {
  for (const is of nameMatchers(wanted)) {
    const meant = documents.filter(is);
    if (meant.length > 0) return distinctContents(meant);
  }
  return [];
}

export function distinctContents<Document extends Named>(documents: readonly Document[]): Document[] {
  return [
    ...new Map(
      documents.toReversed().map((document) => [document.contentId ?? document.id, document]),
    ).values(),
  ].toReversed();
}
