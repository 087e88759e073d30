import { sentences } from '@palabre/reader';

import english from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import zhHant from './zh-hant.json' with { type: 'json' };

// The English texts of the document reader are in its package.
const en = { ...english, documentRemarks: { ...sentences, ...english.documentRemarks } };

/** All texts for people and models in one language, by speaker. `{name}` is a placeholder. */
export type Wording = typeof en;

const others = new Map<string, Wording>(Object.entries({ es, fr, zh: zhHant }));

/** The languages that there is wording for, as subtags of BCP 47. */
export const languages = ['en', ...others.keys()];

/** The wording for a BCP 47 tag, by its language only. English if there is none. */
export function wordingIn(tag: string): Wording {
  return others.get(tag.toLowerCase().split(/[-_]/, 1)[0] ?? '') ?? en;
}

type Values = Readonly<Record<string, string | number>>;

/** Fills the placeholders of a text. Throws for a missing value. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing was given for {${name}} in: ${text}`);
    return String(value);
  });
}

/** Fills the form of a text for `count`, a whole number, which is also the value of `{count}`. */
export function counted(
  { one, other }: Readonly<Record<'one' | 'other', string>>,
  count: number,
  values: Values = {},
): string {
  return fill(count === 1 ? one : other, { ...values, count });
}
