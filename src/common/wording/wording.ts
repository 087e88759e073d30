import { sentences } from '@palabre/reader';

import english from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import zhHant from './zh-hant.json' with { type: 'json' };

// What the reader of documents says stands in its package in English.
const en = { ...english, documentRemarks: { ...sentences, ...english.documentRemarks } };

/** All that is said to people and models in one language, by who says it. `{name}` is a place to be filled. */
export type Wording = typeof en;

const others = new Map<string, Wording>(Object.entries({ es, fr, zh: zhHant }));

/** The wording for a BCP 47 tag, by its language alone; English for a language that has none. */
export function wordingIn(tag: string): Wording {
  return others.get(tag.toLowerCase().split(/[-_]/, 1)[0] ?? '') ?? en;
}

type Values = Readonly<Record<string, string | number>>;

/** Puts `values` in the places of a text. Throws for a place that none is given for. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing was given for {${name}} in: ${text}`);
    return String(value);
  });
}

/** Fills the form of a text that goes with `count`, a whole number, which is the value of `{count}`. */
export function counted(
  { one, other }: Readonly<Record<'one' | 'other', string>>,
  count: number,
  values: Values = {},
): string {
  return fill(count === 1 ? one : other, { ...values, count });
}
