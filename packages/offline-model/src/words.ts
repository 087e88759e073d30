import words from '../words.json' with { type: 'json' };

export const languages = ['fr', 'en', 'es', 'zh'] as const;
export type Language = (typeof languages)[number];

/**
 * Filler words, which do not change a request: articles, prepositions, pronouns, greetings, verbs of asking and having.
 * Words that invert or limit a sentence (not, if, but, or, without, instead, more, less) are left out on purpose, so
 * that a message with one of them is not understood. The same holds for references (this, it, then, also).
 */
export const glue: Readonly<Record<Language, string>> = words.glue;

export const {
  /** Words that do not change a request but may be the subject of a question: possession and use. */
  neutral,
  /** Question words, which a passage with the answer does not contain. */
  asking,
  /** Conjunctions. */
  joining,
  /** What may precede a request. Verbs only in the form of a request. */
  polite,
  /** Words that put a verb into the past. Such a sentence is not a request. */
  past,
  /** Words that introduce a text, as in "remember that …". */
  leading,
  /** References to earlier messages. */
  pointing,
  /** Things that are measured, in the order English, French, Spanish, Chinese. */
  things,
} = words;

/**
 * Translations of words in skills and schemas, which are in English: everyday office words, one concept per line, in
 * the same order. Unknown words are reported as not understood. An underscore stands for a blank.
 */
export const thesaurus = [...things, ...words.thesaurus];
