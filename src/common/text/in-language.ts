/** Texts by primary language subtag. English serves all other languages. */
interface ByLanguage<Words> {
  en: Words;
  fr: Words;
  es: Words;
  zh: Words;
}

/** Gives a function that finds the texts for a BCP 47 tag, by its language. English for any other language. */
export function inLanguage<Words>(words: ByLanguage<Words>): (tag: string) => Words {
  const byLanguage = new Map<string, Words>(Object.entries(words));
  return (tag) => byLanguage.get(tag.toLowerCase().split(/[-_]/, 1)[0] ?? '') ?? words.en;
}
