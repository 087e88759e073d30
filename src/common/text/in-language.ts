/** Words in each language that there are words in, by its primary subtag. English is always there: it is for all others. */
export interface ByLanguage<Words> {
  en: Words;
  fr: Words;
  es: Words;
  zh: Words;
}

/** Finds the words for a BCP 47 tag, by its language alone; English for a language that has none. */
export const inLanguage = <Words>(words: ByLanguage<Words>): ((tag: string) => Words) => {
  const byLanguage = new Map<string, Words>(Object.entries(words));
  return (tag) => byLanguage.get(tag.toLowerCase().split(/[-_]/, 1)[0] ?? '') ?? words.en;
};
