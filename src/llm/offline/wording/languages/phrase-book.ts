import type { CitedSource } from '../citation.js';

/** All the sentences the offline model can say, in one language. */
export interface Phrases {
  locale: string;
  /** Between two sentences. */
  gap: string;
  colon: string;
  separator: string;
  yes: string;
  no: string;
  quoted: (words: string) => string;
  /** How units are named to a reader, where their sign is not enough. */
  units: Readonly<Record<string, string>>;

  noModel: string;
  greeting: string;
  thanks: string;
  /** To somebody who asks how far something is, or calls it off. */
  nothingUnderWay: string;
  identity: (name: string | null) => string;
  /** What it is without a language model. */
  limits: string;
  wordless: string;
  cannot: (subject: string) => string;
  /** To somebody who says something that nothing is to be done about. */
  heard: string;
  cannotAdvise: string;
  canDo: string;
  noTools: string;
  example: string;

  missing: string;
  askMissing: string;
  quantities: (units: string) => string;
  noDetails: string;
  unread: (quoted: string) => string;
  leftOut: (quoted: string) => string;
  /** Amounts that the question says are not to be counted. */
  setAside: (quoted: string) => string;
  /** Asks for one amount where a range is said. */
  range: (quoted: string) => string;
  /** Shares and numbers beside the amounts that were counted. */
  unapplied: (quoted: string) => string;
  otherCountries: (names: string) => string;
  differingPeriods: (said: string) => string;
  /** An amount beyond what a tool takes. */
  tooLarge: (quoted: string, most: string) => string;
  tooMany: (most: number) => string;

  failed: (reason: string) => string;
  askToMend: string;
  result: string;
  empty: string;
  stored: string;
  notKnown: (fields: string) => string;
  factNotKnown: (fields: string) => string;
  details: string;
  refused: string;
  sources: string;
  caveats: string;
  citation: (source: CitedSource) => string;
  more: (count: number) => string;

  summary: string;
  nothingToSummarise: string;
  nothingToAdd: string;
}
