/** What is searched, each kind of thing by itself. */
export const searchCollections = ['MEMORY', 'MESSAGE', 'PASSAGE'] as const;
export type SearchCollection = (typeof searchCollections)[number];

/** What is searched together: a collection's things of one member, or (null) of the whole company. */
export interface SearchScope {
  collection: SearchCollection;
  ownerId: string | null;
}

/** A thing to be found: a memory, a message, a passage. */
export interface IndexedItem {
  id: string;
  /** What it belongs to and goes with: a conversation, a document; null: nothing. */
  groupId: string | null;
  text: string;
}

export interface SearchRequest {
  scopes: readonly SearchScope[];
  /** At most so many hits. */
  limit: number;
  /** Only what belongs to one of these; left out: all. */
  groupIds?: readonly string[];
}

/** Something found, the best first. */
export interface SearchHit {
  id: string;
  /** BM25 of the words it shares with the query; 0: it was found by meaning alone. */
  lexicalScore: number;
  /** Cosine similarity, -1 to 1; null: there is no embedder, or it was not found by meaning. */
  similarity: number | null;
  /** Of the ranks in both legs, 0 to 1: for the order among hits of one search. */
  score: number;
}

/** How much each term of a query tells, by what is in the scopes that were searched. */
export interface TermWeights {
  /** Inverse document frequency by term, as `termsOf` makes them. */
  idf: ReadonlyMap<string, number>;
  /** The same of terms that it has not, but that are its own as others write them. */
  otherIdf: ReadonlyMap<string, number>;
  /** Of an item of these scopes, in terms. */
  averageLength: number;
}

/** All terms that a text is scored by. */
export const scoredBy = ({ idf, otherIdf }: TermWeights): Map<string, number> =>
  new Map([...otherIdf, ...idf]);

export interface SearchOutcome {
  hits: SearchHit[];
  weights: TermWeights;
}

/** A query that was read, and embedded where there is an embedder: made outside of transactions. */
export interface PreparedQuery {
  text: string;
  /** Null: there is no embedder, or it did not answer. */
  vector: Float32Array | null;
  /** Why there is no vector although there is an embedder, for people; null: all is well. */
  warning: string | null;
}

/** Whether a version, as `SearchIndex.version` gives it, is of scopes that nothing was ever put into. */
export const isUntouched = (version: string): boolean => /^0(,0)*$/.test(version);
