/** How good what is found is, beside an exact search: BM25 over every text, with nothing left out. */
import { QueryTerms, TermMatches, TermVector } from '@palabre/lexical';

import { allTermWeights } from '../../dist/documents/search-index/search.js';

export class ExactSearch {
  ids = [];
  vectors = [];
  length = 0;

  add(id, text) {
    const vector = TermVector.of(text);
    this.ids.push(id);
    this.vectors.push(vector);
    this.length += vector.length;
  }

  find(question, limit) {
    const query = QueryTerms.of(question);
    const matches = new TermMatches(query.terms);
    const rows = this.vectors.map((vector) => matches.add(vector));
    const count = rows.length;
    const df = (term) => matches.df(term);
    const idf = query.idf(count, df);
    const weights = matches.weightsOf(allTermWeights({ idf, otherIdf: query.otherIdf(idf, count, df) }));
    return rows
      .map((row, index) => ({ id: this.ids[index], score: matches.score(row, weights, this.length / count) }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ id }) => id);
  }
}

/** Recall among five and the mean reciprocal rank of what was asked for, of lists of what was found. */
export function qualityOf(answers) {
  const mean = (valueOf) => answers.reduce((sum, answer) => sum + valueOf(answer), 0) / answers.length;
  return {
    'R@5': mean(({ found, id }) => Number(found.slice(0, 5).includes(id))),
    MRR: mean(({ found, id }) => (found.includes(id) ? 1 / (1 + found.indexOf(id)) : 0)),
  };
}
