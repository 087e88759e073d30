import { type Sentence, sentenceOf } from '@palabre/reader';

import { type Wording, wordingIn } from '../common/wording/wording.js';

/** A remark on a document for people: the code of a sentence, and its values. */
export interface DocumentRemark {
  code: keyof Wording['documentRemarks'];
  values: Readonly<Record<string, string | number>>;
}

/** Remarks for people on a content, whether it was read or not. */
export interface DocumentRemarks {
  /** Why it could not be read. Empty: it could. */
  error: readonly DocumentRemark[];
  warnings: readonly DocumentRemark[];
}

interface Remarked {
  /** In English, or only a code. Null: none. */
  error: string | null;
  /** In English. */
  warnings: readonly string[];
  /** Null: an earlier version read it, and stored English only. */
  remarks: DocumentRemarks | null;
}

export function remarkInEnglish(remark: DocumentRemark): string {
  return sentenceIn(remark, 'en') ?? remark.code;
}

/** The remarks as one text in `language`, BCP 47; null: there is no sentence for one of them. */
function textIn(remarks: readonly DocumentRemark[], language: string): string | null {
  const said = remarks.map((remark) => sentenceIn(remark, language));
  return said.length === 0 || said.includes(null) ? null : said.join(' ').replaceAll('。 ', '。');
}

/** Why the document failed, in `language`; null: it has not. */
export function errorIn({ error, remarks }: Remarked, language: string): string | null {
  if (error === null) return null;
  const said = remarks?.error ?? [{ code: error, values: {} }];
  return textIn(said as readonly DocumentRemark[], language) ?? error;
}

/** What was lost or is doubtful in the document, in `language`. */
export function warningsIn({ warnings, remarks }: Remarked, language: string): string[] {
  return warnings.map((english, index) => {
    const remark = remarks?.warnings[index];
    return (remark && sentenceIn(remark, language)) ?? english;
  });
}

/** Null: unknown code, from a later version or an English sentence. */
function sentenceIn(remark: DocumentRemark, language: string): string | null {
  const { fileLink, documentRemarks } = wordingIn(language);
  const sentence: Sentence | undefined = Object.hasOwn(documentRemarks, remark.code)
    ? documentRemarks[remark.code]
    : undefined;
  return sentence === undefined ? null : sentenceOf(sentence, remark, fileLink.language);
}
