/** Files of a text each, all different, as exports of other systems are. */
import { Corpus } from '../search/corpus.js';

const CHARACTERS = 475;

export function readManyFiles(count) {
  const corpus = new Corpus(3);
  return Array.from({ length: count }, (_, at) => [`note-${at}.txt`, corpus.passage(CHARACTERS)]);
}
