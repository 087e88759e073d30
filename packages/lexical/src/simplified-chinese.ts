import { readFileSync } from 'node:fs';

/**
 * Characters that were simplified, each followed by what it is in traditional texts, the usual first: itself, where it is
 * as often that. Those of GB 2312 whose traditional ones are in Big5, after the tables of OpenCC (Apache-2.0), and a few
 * that are used for each other.
 */
const groups = readFileSync(new URL('../data/simplified-chinese.txt', import.meta.url), 'utf8')
  .trim()
  .split(/\s+/)
  .map((group) => Array.from(group));

/** Traditional characters that are one and the same, as one or another place writes it. */
const twins =
  '僞偽 啓啟 嫺嫻 嬀媯 潙溈 爲為 繮韁 蔘參 衆眾 裏裡 鉢缽 鍼針 麪麵 柺枴 檯枱 溼濕 菸煙 蘊藴 說説 醞醖 鉤鈎 銳鋭 閱閲 帳賬 帐帳 線綫 衛衞'
    .split(' ')
    .map((pair) => Array.from(pair));

/** By a simplified character, what it may be in a traditional text. */
const traditionalOf = new Map(groups.map(([simplified = '', ...traditional]) => [simplified, traditional]));

/** A traditional character was simplified to one; of two groups that name it, the later one says which. */
const simplifiedOf = new Map(
  groups.flatMap(([simplified = '', ...traditional]) =>
    traditional.filter((each) => each !== simplified).map((each) => [each, simplified] as const),
  ),
);

const twinsOf = Map.groupBy(
  twins.flatMap(([one = '', other = '']) => [
    { one, other },
    { one: other, other: one },
  ]),
  ({ one }) => one,
);

/**
 * Each as it is written traditionally, and as it is written simplified: those of which the second tells that a text is
 * simplified.
 */
export const simplifiedPairs: readonly (readonly [traditional: string, simplified: string])[] =
  groups.flatMap(([simplified = '', traditional = '']) =>
    traditional === simplified ? [] : [[traditional, simplified] as const],
  );

const HAN = /[\u4e00-\u9fff]/g;

/** Character by character, so that both ways of writing Chinese can be compared; never to be shown. */
export function asSimplified(text: string): string {
  return text.replace(HAN, (character) => simplifiedOf.get(character) ?? character);
}

/** What a character may be in traditional texts: itself if it is one of theirs. */
export function traditionalFormsOf(character: string): readonly string[] {
  const forms = traditionalOf.get(character) ?? [character];
  const others = forms.flatMap((form) => twinsOf.get(form) ?? []).map(({ other }) => other);
  return [...new Set([...forms, ...others])];
}
