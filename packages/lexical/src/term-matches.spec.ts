import fc from 'fast-check';

import { gain } from './bm25.js';
import { hashOfTerm } from './term-hash.js';
import { TermIndex } from './term-index.js';
import { TermMatches } from './term-matches.js';
import { TermVector } from './term-vector.js';
import { termsOf } from './terms.js';

const word = fc.constantFrom(
  'carbone',
  'bilan',
  'Dakar',
  'énergie',
  'énergies',
  '碳排放',
  '範疇一',
  '2024',
  'a',
);
const line = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));

it('scores are those of BM25, and terms are in as many texts as they are', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), line, (texts, query) => {
      const terms = [...termsOf(query).keys()];
      const matches = new TermMatches(terms);
      const vectors = texts.map((text) => TermVector.of(text));
      const rows = vectors.map((vector) => matches.add(vector));
      const idf = new Map(terms.map((term, index) => [term, 1 + (index % 7)]));
      const weights = matches.weightsOf(idf);
      vectors.forEach((vector, index) => {
        const gains = Array.from(idf, ([term, weight]) =>
          gain(weight, vector.count(hashOfTerm(term)), vector.length, 20),
        );
        const score = gains.reduce((sum, each) => sum + each, 0);
        expect(matches.score(rows[index]!, weights, 20)).toBeCloseTo(score, 9);
      });
      for (const term of terms) {
        const hash = hashOfTerm(term);
        expect(matches.df(hash)).toBe(vectors.filter((vector) => vector.count(hash) > 0).length);
      }
      expect(matches.df(hashOfTerm('absent'))).toBe(0);
    }),
  );
});

it('a term has the place that it was given with, and any other has none', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { maxLength: 300 }), fc.array(fc.integer()), (terms, others) => {
      const index = new TermIndex(Int32Array.from(terms));
      terms.forEach((term, place) => expect(index.placeOf(term)).toBe(place));
      for (const other of others) expect(index.placeOf(other)).toBe(terms.indexOf(other));
    }),
  );
});
