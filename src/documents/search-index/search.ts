const searchCollections = ['MEMORY', 'MESSAGE', 'PASSAGE'] as const;
export type SearchCollection = (typeof searchCollections)[number];

/** Items that are searched together: a collection's of one member, or (null) of the whole company. */
export interface SearchScope {
  collection: SearchCollection;
  ownerId: string | null;
}

/** An item to index: a memory, a message or a passage. */
export interface IndexedItem {
  id: string;
  /** The conversation or document that it belongs to and is removed with; null: none. */
  groupId: string | null;
  text: string;
}

export interface SearchRequest {
  scopes: readonly SearchScope[];
  limit: number;
  /** Restricts the search to these groups; left out: all. */
  groupIds?: readonly string[];
}

export interface SearchHit {
  id: string;
  /** BM25 score; 0: found by meaning only. */
  lexicalScore: number;
  /** Cosine similarity, -1 to 1; null: not found by meaning. */
  similarity: number | null;
  /** The fused score of both legs, 0 to 1; comparable within one search only. */
  score: number;
}

export interface TermWeights {
  /** By term, from `termsOf`. A word's weight is shared among its terms. */
  idf: ReadonlyMap<string, number>;
  /** The same for alternative spellings of the query's terms. */
  otherIdf: ReadonlyMap<string, number>;
  /** The average length of an item in these scopes, in terms. */
  averageLength: number;
}

/** The weights of all terms, alternative spellings included. */
export function allTermWeights({ idf, otherIdf }: TermWeights): Map<string, number> {
  return new Map([...otherIdf, ...idf]);
}

export interface SearchOutcome {
  hits: SearchHit[];
  weights: TermWeights;
}

/** More results about the words of a search. */
export interface WordFindings {
  /** The rarity of each term alone, not as a part of its word. */
  rarity: ReadonlyMap<string, number>;
  /** Hits that cover more of the query than an unrelated text would by chance. */
  covering: ReadonlySet<string>;
  /** The weight of the query's subject. Unknown words count like the rarest. */
  asked: number;
}

/** A prepared query, embedded if there is an embedder. Made outside of transactions. */
export interface PreparedQuery {
  text: string;
  /** Null: there is no embedder, or it failed. */
  vector: Float32Array | null;
  /** Why the embedder gave no vector, shown to people; null: no problem. */
  warning: string | null;
}

/** Whether a version (see `SearchIndex.version`) is of scopes that never had an item. */
export function isUntouched(version: string): boolean {
  return /^0(,0)*$/.test(version);
}
