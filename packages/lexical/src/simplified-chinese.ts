import { readFileSync } from 'node:fs';

/**
 * Simplified characters, each followed by its traditional forms, the usual first (itself, where that is as common).
 * These are the characters of GB 2312 with traditional forms in Big5, after the tables of OpenCC (Apache-2.0), and a
 * few that are used for each other.
 */
const groups = readFileSync(new URL('../data/simplified-chinese.txt', import.meta.url), 'utf8')
  .trim()
  .split(/\s+/)
  .map((group) => Array.from(group));

/** Traditional variants of the same character. */
const twins =
  '僞偽 啓啟 嫺嫻 嬀媯 潙溈 爲為 繮韁 蔘參 衆眾 裏裡 鉢缽 鍼針 麪麵 柺枴 檯枱 溼濕 菸煙 蘊藴 說説 醞醖 鉤鈎 銳鋭 閱閲 帳賬 帐帳 線綫 衛衞'
    .split(' ')
    .map((pair) => Array.from(pair));

/** The possible traditional forms of a simplified character. */
const traditionalOf = new Map(groups.map(([simplified = '', ...traditional]) => [simplified, traditional]));

/** A traditional character has one simplified form. If two groups name it, the later one wins. */
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

/** Characters in traditional and simplified form, where the simplified one shows that a text is simplified. */
export const simplifiedPairs: readonly (readonly [traditional: string, simplified: string])[] =
  groups.flatMap(([simplified = '', traditional = '']) =>
    traditional === simplified ? [] : [[traditional, simplified] as const],
  );

const HAN = /[\u4e00-\u9fff]/g;

/** Converts characters so that both ways of writing Chinese compare equal. Never shown. */
export function asSimplified(text: string): string {
  return text.replace(HAN, (character) => simplifiedOf.get(character) ?? character);
}

/** Possible traditional forms of a character, including the character itself if it is traditional. */
export function traditionalFormsOf(character: string): readonly string[] {
  const forms = traditionalOf.get(character) ?? [character];
  const others = forms.flatMap((form) => twinsOf.get(form) ?? []).map(({ other }) => other);
  return [...new Set([...forms, ...others])];
}
