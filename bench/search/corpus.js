/** Text that is nobody's, the same each time: words by Zipf's law, with endings, in passages of one length. */

/** Mulberry32: small, seeded, good enough for text. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// About as often as French has them.
const consonants = 'sssttttnnnnrrrrllldddcccmmppvvbfgjqhxz';
const vowels = ['e', 'e', 'e', 'a', 'a', 'i', 'i', 'o', 'u', 'é', 'ou', 'ai', 'on', 'an', 'è'];
const endings = ['', '', '', 's', 'e', 'es', 'ment', 'tion', 'er', 'é', 'ée', 'ant'];
function pick(next, all) {
  return all[Math.floor(next() * all.length)];
}

export class Corpus {
  constructor(seed, vocabulary = 60_000) {
    this.next = random(seed);
    this.words = Array.from({ length: vocabulary }, (_, rank) => this.stem(rank));
  }

  /** Frequent words are short. */
  stem(rank) {
    const syllables = 1 + Math.floor(Math.log10(rank + 1) * 0.45 + this.next());
    let word = '';
    for (let syllable = 0; syllable < syllables; syllable += 1) {
      word += pick(this.next, consonants) + pick(this.next, vowels);
      if (this.next() < 0.35) word += pick(this.next, consonants);
    }
    return word;
  }

  word() {
    // The distribution's inverse, for an exponent of 1.
    const rank = Math.floor(this.words.length ** this.next()) - 1;
    const stem = this.words[rank];
    return rank < 200 ? stem : stem + pick(this.next, endings);
  }

  /** Of about so many characters. */
  passage(characters) {
    const words = [];
    for (let length = 0; length < characters;) {
      const word = this.next() < 0.02 ? String(Math.floor(this.next() * 10_000)) : this.word();
      words.push(word);
      length += word.length + 1;
    }
    return `${words.join(' ')}.`;
  }

  /** Words of a passage that are not in every other one, one of them with a typing error. */
  question(passage) {
    const rare = passage.split(' ').filter((word) => word.length > 6);
    const words = Array.from({ length: 6 }, () => pick(this.next, rare));
    const [first = ''] = words;
    words[0] = first.slice(0, 2) + first.slice(3);
    return words.join(' ');
  }

  /** A few words of a passage, whichever they are: more than one passage may be meant. */
  shortQuestion(passage) {
    const words = passage.split(' ').filter((word) => word.length > 3);
    return Array.from({ length: 3 }, () => pick(this.next, words)).join(' ');
  }

  /** With an error in a third of the long words: a letter is missing, another one, or in its neighbour's place. */
  misspelt(question) {
    return question
      .split(' ')
      .map((word) => (word.length > 5 && this.next() < 1 / 3 ? this.withError(word) : word))
      .join(' ');
  }

  withError(word) {
    const at = 1 + Math.floor(this.next() * (word.length - 2));
    const [before, letter, after] = [word.slice(0, at), word[at], word.slice(at + 1)];
    const errors = [
      before + after,
      before + pick(this.next, consonants) + after,
      before + (after[0] ?? '') + letter + after.slice(1),
    ];
    return pick(this.next, errors);
  }
}
