import { z } from 'zod';
import { withPlainTables } from '@palabre/text';
import { parseJson } from '@palabre/json';

import type { Citation } from '../../../conversations/message.repository.js';
import { markersIn, unmarked } from './marker-filter.js';
import { lastSentence, maxClaims, quoteIn } from './quotes.js';

interface NumberedSource extends Source {
  marker: number;
}

/** The sources of a turn, numbered 1, 2, 3 … in order of discovery. */
export class Sources {
  private readonly byMarker = new Map<number, NumberedSource>();
  private readonly markers = new Map<string, number>();
  private untold: NumberedSource[] = [];

  isKnown(marker: number): boolean {
    return this.byMarker.has(marker);
  }

  /** Numbers the found sources. Known ones keep their number. */
  number(found: readonly Source[]): NumberedSource[] {
    return found.map((source) => {
      const known = this.byMarker.get(this.markers.get(passageKey(source)) ?? 0);
      if (known) return known;
      const numbered = { ...source, marker: Math.max(0, ...this.byMarker.keys()) + 1 };
      this.keep(numbered);
      this.untold.push(numbered);
      return numbered;
    });
  }

  /** Restores the sources that an earlier run found and reported. */
  restore(sources: readonly NumberedSource[]): void {
    for (const source of sources) this.keep(source);
  }

  /** New sources of a search, each with the text that matches the query. Restored ones are not new. */
  takeUntold(of: readonly Pick<NumberedSource, 'marker'>[], query: string): Citation[] {
    const markers = new Set(of.map(({ marker }) => marker));
    const taken = this.untold.filter(({ marker }) => markers.has(marker));
    this.untold = this.untold.filter(({ marker }) => !markers.has(marker));
    return taken.map((source) => citation(source, [query]));
  }

  /** The sources that an answer cites, each with the words closest to the claim. */
  citedIn(answer: string): Citation[] {
    const claims = new Map<number, string[]>();
    for (const { index, marker } of markersIn(answer)) {
      const known = claims.get(marker) ?? [];
      // A model in a loop writes the same marker thousands of times.
      if (!this.isKnown(marker) || known.length === maxClaims) continue;
      claims.set(marker, [...known, claimAt(answer, index)]);
    }
    return [...claims]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([marker, ofMarker]) => {
        const source = this.byMarker.get(marker);
        return source ? [citation(source, ofMarker)] : [];
      });
  }

  private keep(source: NumberedSource): void {
    this.byMarker.set(source.marker, source);
    this.markers.set(passageKey(source), source.marker);
  }
}

function passageKey({ documentId, page, text }: Source): string {
  return `${documentId} ${page} ${text}`;
}

/** The beginning of a line that only has other markers. */
const lineOpening = /(?:^|\n)[ \t]*(?:[-*•][ \t]+)?(?:\[\d+\][ \t]*)*$/u;
const beginsWithWords = /^[^.,;:!?。，；：！？、]/u;

/** The claim of a marker: the sentence before it, or the line that it begins, as in a list of sources. */
function claimAt(answer: string, index: number): string {
  const before = answer.slice(Math.max(0, index - 1000), index);
  const [line = ''] = answer.slice(index, index + 1000).split('\n');
  const behind = unmarked(line).trim();
  return lineOpening.test(before) && beginsWithWords.test(behind) ? behind : lastSentence(unmarked(before));
}

function citation(source: NumberedSource, claims: readonly string[]): Citation {
  const { quote, start } = quoteIn(source.text, claims);
  return {
    marker: source.marker,
    documentId: source.documentId,
    documentName: source.documentName,
    page: pageAt(source, start),
    quote: withPlainTables(source.text, start, start + quote.length).trim(),
    score: source.score,
  };
}

/** For a passage of several pages: the page of its words at `start`. */
function pageAt({ page, pageBreaks = [] }: NumberedSource, start: number): number | null {
  const at = pageBreaks.findLast(({ offset }) => offset <= start);
  return at ? at.page : page;
}

/** The sources in a result of this turn, without those that were cut off. */
export function sourcesIn(result: string): NumberedSource[] {
  return foundIn(result).sources.flatMap(({ marker, ...source }) =>
    marker === null ? [] : [{ ...source, marker }],
  );
}

interface Found {
  /** The best first. `marker`: the n of its [n], once it has one. */
  sources: (Source & { marker: number | null })[];
  /** Words of the question that no source has. */
  missing: string[];
  unread: UnreadDocument[];
}

const passage = z.object({
  marker: z.int().positive().optional(),
  document: z.string(),
  documentId: z.string(),
  page: z.number().nullable(),
  /** Starts of pages in the text. Missing: all of it is on `page`. */
  pageBreaks: z.array(z.object({ offset: z.number(), page: z.number().nullable() })).optional(),
  /** The headings above it. Empty: none. */
  section: z.string().default(''),
  score: z.number(),
  text: z.string(),
});
/** A passage of a document that may answer the question. `score` is 0 to 1. */
export type Source = Omit<z.output<typeof passage>, 'marker' | 'document'> & { documentName: string };

const unreadDocument = z.object({
  document: z.string(),
  /** Null: it is still being read. */
  error: z.string().nullable(),
});
/** A document that should be searched but cannot be. */
export type UnreadDocument = z.output<typeof unreadDocument>;

const searchResult = z.object({
  passages: z.array(z.unknown()),
  missing: z.array(z.string()).default([]),
  unread: z.array(unreadDocument).default([]),
});

/** The findings in a search result, numbered where they have a number. Unreadable parts are dropped. */
export function foundIn(result: string): Found {
  const { data } = searchResult.safeParse(parseJson(result));
  if (!data) return { sources: [], missing: [], unread: [] };
  const sources = data.passages.flatMap((each) => {
    const read = passage.safeParse(each);
    if (!read.data) return [];
    const { document: documentName, marker = null, ...rest } = read.data;
    return [{ ...rest, documentName, marker }];
  });
  return { sources, missing: data.missing, unread: data.unread };
}

/** The findings as a result: the text for the model, with enough for a later run to restore them. */
export function resultOf(
  sources: readonly (Source & { marker: number })[],
  more: { missing?: readonly string[]; unread?: readonly UnreadDocument[]; note?: string } = {},
): string {
  return JSON.stringify({
    passages: sources.map(({ marker, documentName: document, documentId, section, ...rest }) => ({
      marker,
      document,
      documentId,
      ...(section !== '' && { section }),
      ...rest,
    })),
    ...more,
  });
}
