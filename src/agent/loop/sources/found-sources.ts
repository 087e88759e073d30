import { z } from 'zod';

/** A passage of a document that may answer the question. `score` is 0 to 1. */
export interface Source {
  documentId: string;
  documentName: string;
  page: number | null;
  /** Where in the text which page begins; missing: all of it is on `page`. */
  pageBreaks?: readonly { offset: number; page: number | null }[] | undefined;
  /** The headings that it stands below; empty: none. */
  section: string;
  text: string;
  score: number;
}

/** A document that was to be searched and cannot be. */
export interface UnreadDocument {
  document: string;
  /** Null: it is still being read. */
  error: string | null;
}

/** What a search gave. */
export interface Found {
  /** The best first. `marker`: the n of its [n], once it has one. */
  sources: (Source & { marker: number | null })[];
  unread: UnreadDocument[];
}

const passage = z.object({
  marker: z.int().positive().optional(),
  document: z.string(),
  documentId: z.string(),
  page: z.number().nullable(),
  pageBreaks: z.array(z.object({ offset: z.number(), page: z.number().nullable() })).optional(),
  section: z.string().default(''),
  score: z.number(),
  text: z.string(),
});
const unreadDocument = z.object({ document: z.string(), error: z.string().nullable() });
const searchResult = z.object({
  passages: z.array(z.unknown()),
  unread: z.array(unreadDocument).default([]),
});

/** What a search says it found, each under its number if it has one; what cannot be read of it is left out. */
export const foundIn = (result: string): Found => {
  const { success, data } = searchResult.safeParse(jsonOf(result));
  if (!success) return { sources: [], unread: [] };
  const sources = data.passages.flatMap((each) => {
    const read = passage.safeParse(each);
    if (!read.success) return [];
    const { document: documentName, marker = null, ...rest } = read.data;
    return [{ ...rest, documentName, marker }];
  });
  return { sources, unread: data.unread };
};

/** The same as a result: what the model is to read, and enough of it for a later run of the turn to know it from. */
export const resultOf = (
  sources: readonly (Source & { marker: number })[],
  more: { unread?: readonly UnreadDocument[]; note?: string } = {},
): string =>
  JSON.stringify({
    passages: sources.map(({ marker, documentName, documentId, page, pageBreaks, section, score, text }) => ({
      marker,
      document: documentName,
      documentId,
      page,
      ...(pageBreaks && { pageBreaks }),
      ...(section !== '' && { section }),
      score,
      text,
    })),
    ...more,
  });

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
