import type { Citation } from '../../../conversations/message.entity.js';
import { foundIn, type Source } from './found-sources.js';
import { markersIn, unmarked } from './marker-filter.js';
import { lastSentence, maxClaims, quoteIn } from './quotes.js';

/** A source under the n of its [n]. */
export interface NumberedSource extends Source {
  marker: number;
}

/** The sources of a turn, numbered 1, 2, 3 … as they were found. */
export class Sources {
  private readonly byMarker = new Map<number, NumberedSource>();
  private readonly markers = new Map<string, number>();
  private untold: NumberedSource[] = [];

  isKnown(marker: number): boolean {
    return this.byMarker.has(marker);
  }

  /** Numbers what was found; what was found before keeps its number. */
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

  /** Takes over what an earlier run of the turn found, and told. */
  restore(sources: readonly NumberedSource[]): void {
    for (const source of sources) this.keep(source);
  }

  /** Those of a search's sources that were not taken before, each with what fits the query; none of what was restored. */
  takeUntold(of: readonly Pick<NumberedSource, 'marker'>[], query: string): Citation[] {
    const markers = new Set(of.map(({ marker }) => marker));
    const [taken, left] = [
      this.untold.filter(({ marker }) => markers.has(marker)),
      this.untold.filter(({ marker }) => !markers.has(marker)),
    ];
    this.untold = left;
    return taken.map((source) => citation(source, [query]));
  }

  /** The sources that an answer cites, each with the words of it that are closest to what is said there. */
  citedIn(answer: string): Citation[] {
    const claims = new Map<number, string[]>();
    for (const { index, marker } of markersIn(answer)) {
      const known = claims.get(marker) ?? [];
      // A model that is caught in a loop writes the same marker thousands of times.
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

const passageKey = ({ documentId, page, text }: Source): string => `${documentId} ${page} ${text}`;

/** What stands in a line before a marker that opens it: nothing but other markers. */
const lineOpening = /(?:^|\n)[ \t]*(?:[-*•][ \t]+)?(?:\[\d+\][ \t]*)*$/u;
const beginsWithWords = /^[^.,;:!?。，；：！？、]/u;

/** What a marker is the source of: the sentence before it, or the line that it opens, as in a list of sources. */
const claimAt = (answer: string, index: number): string => {
  const before = answer.slice(Math.max(0, index - 1000), index);
  const [line = ''] = answer.slice(index, index + 1000).split('\n');
  const behind = unmarked(line).trim();
  return lineOpening.test(before) && beginsWithWords.test(behind) ? behind : lastSentence(unmarked(before));
};

const citation = (source: NumberedSource, claims: readonly string[]): Citation => {
  const { quote, start } = quoteIn(source.text, claims);
  return {
    marker: source.marker,
    documentId: source.documentId,
    documentName: source.documentName,
    page: pageAt(source, start),
    quote,
    score: source.score,
  };
};

/** Where a passage runs over several pages: the one that its words at `start` stand on. */
const pageAt = ({ page, pageBreaks = [] }: NumberedSource, start: number): number | null => {
  const at = pageBreaks.findLast(({ offset }) => offset <= start);
  return at ? at.page : page;
};

/** The sources in a result of this turn; those that were cut off are left out. */
export const sourcesIn = (result: string): NumberedSource[] =>
  foundIn(result).sources.flatMap(({ marker, ...source }) =>
    marker === null ? [] : [{ ...source, marker }],
  );
