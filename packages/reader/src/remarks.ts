import wording from '../wording.json' with { type: 'json' };

/** `{name}` is a place for a value. With forms for one and for any other `count`. */
export type Sentence = string | Readonly<Record<'one' | 'other', string>>;

/** The sentences about a file, in English, by code. Other languages have the same codes and places. */
export const sentences = wording satisfies Record<string, Sentence>;

export type RemarkCode = keyof typeof sentences;

export type RemarkValues = Readonly<Record<string, string | number>>;

/** A message about a file for people: a sentence's code and values. */
export interface Remark {
  code: RemarkCode;
  values: RemarkValues;
}

export function remark(code: RemarkCode, values: RemarkValues = {}): Remark {
  return { code, values };
}

/** The remark as a sentence of `language`, BCP 47. A place without a value keeps its name. */
export function sentenceOf(sentence: Sentence, { values }: Pick<Remark, 'values'>, language: string): string {
  const form = typeof sentence === 'string' ? sentence : values.count === 1 ? sentence.one : sentence.other;
  const numbers = new Intl.NumberFormat(language);
  return form.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name] ?? place;
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

export function inEnglish(told: Remark): string {
  return sentenceOf(sentences[told.code], told, 'en');
}
