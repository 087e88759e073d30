import type { JsonObject } from '../../../../common/json.js';
import { asObject, asText } from '../../json-access.js';
import { fold } from '../../reading/words/fold.js';
import type { Language } from '../../reading/words/language.js';
import type { Reading } from '../../reading/read.js';
import { resultValue, type ToolResult } from '../../tool-result.js';
import { phrases } from '../languages/phrases.js';

const wantsYear =
  /\b(?:annuel\w*|par an|(?:sur|pour|dans|pendant|durant) (?:un an|une annee|l'annee|toute l'annee)|a l'annee|annual\w*|yearly|(?:per|a|each|every) year|anual\w*|(?:al|por|cada|durante un) ano)\b|每年|一年|全年|年度|整年/;

/** How often a year has what a period names. */
const perYear: readonly (readonly [RegExp, number])[] = [
  [/\b(?:jours?|days?|dias?)\b|[每一][天日]/, 365],
  [/\b(?:sem|semaines?|weeks?|semanas?)\b|每週/, 52],
  [/\b(?:mois|months?|mes|meses)\b|每個?月/, 12],
  [/\b(?:trimestres?|quarters?)\b|每季/, 4],
];

const words: Readonly<Record<Language, (times: number, amount: string) => string>> = {
  fr: (times, amount) => `Sur un an (× ${times}) : ${amount}, si chaque période est semblable.`,
  en: (times, amount) => `Over a year (× ${times}): ${amount}, if every period is alike.`,
  es: (times, amount) => `En un año (× ${times}): ${amount}, si todos los periodos son iguales.`,
  'zh-Hant': (times, amount) => `全年（× ${times}）：${amount}，假設每段期間都相同。`,
};

/** The total of a footprint, in kg CO2e, and how often a year has its period; null: it is of no part of a year. */
function partOfYear({ totalKgCO2e: total, period }: JsonObject): { total: number; times: number } | null {
  const folded = fold(asText(period));
  const each = perYear.find(([pattern]) => pattern.test(folded))?.[1];
  // «pour 2 mois»: six times a year.
  const times = each === undefined ? undefined : each / Number(/\d+/.exec(folded)?.[0] ?? 1);
  // Nothing is in the total where all that was given is declared apart.
  return typeof total === 'number' && total > 0 && times !== undefined && times > 1 ? { total, times } : null;
}

/** A year's footprint where it is asked for and the amounts are those of a day, a week or a month; else empty. */
export function yearText(results: readonly ToolResult[], asked: Reading, language: Language): string {
  const [part, ...others] = results.flatMap((result) => partOfYear(asObject(resultValue(result))) ?? []);
  if (!part || others.length > 0 || !wantsYear.test(asked.folded)) return '';
  const tonnes = (part.total * part.times) / 1000;
  const number = new Intl.NumberFormat(phrases[language].locale, { maximumSignificantDigits: 4 });
  return words[language](Number(part.times.toFixed(1)), `${number.format(tonnes)} tCO2e`);
}
