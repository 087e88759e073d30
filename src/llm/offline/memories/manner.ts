import { fold, tidy } from '../reading/words/fold.js';
import { type Language, namedLanguage } from '../reading/words/language.js';
import { phrases } from '../wording/languages/phrases.js';
import type { Known } from './known.js';
import { nameIn } from './notes/preferences.js';
import { topicOf } from './notes/topics.js';
import { informal } from './wording/informal.js';

/** How the person wants to be answered, as far as it can be followed by rule; null: nothing was said of it. */
export interface Manner {
  name: string | null;
  isInformal: boolean;
  isShort: boolean;
  language: Language | null;
}

const tutoie = /\b(?:tutoi\w*|tutoy\w*|tute[aeo]\w*|de tu|on a first-name basis)\b|用[「『]?你/;
const vouvoie =
  /\b(?:vouvoi\w*|vouvoy\w*|de usted)\b|用[「『]?您|(?:ne|pas|no|not)\b.{0,12}\b(?:tutoi|tutoy|tute)/;
const short =
  /\b(?:court\w*|bref|breves?|brievement|concis\w*|short\w*|brief\w*|concise\w*|cort[oa]s?|resumid[oa]s?)\b|簡短|簡潔|精簡/;
const long =
  /\b(?:pas (?:trop )?(?:court|bref|breve)\w*|not (?:too )?(?:short|brief)|longues?|detaille\w*|detailed|long|largas?|detalladas?)\b|詳細/;

/** What the preferences among what is known say of the answer itself: the newest last, which wins. */
export function mannerOf({ memories }: Known): Manner {
  const manner: Manner = { name: null, isInformal: false, isShort: false, language: null };
  for (const { kind, subject, content } of memories) {
    if (kind !== 'PREFERENCE') continue;
    const text = `${subject} : ${content}`;
    const folded = fold(tidy(text));
    manner.name = nameIn(content) ?? manner.name;
    const said = fold(tidy(content));
    if (vouvoie.test(said)) manner.isInformal = false;
    else if (tutoie.test(said)) manner.isInformal = true;
    const topic = topicOf(folded);
    if (topic === 'length') manner.isShort = short.test(folded) && !long.test(said);
    if (topic === 'language') manner.language = namedLanguage(content) ?? manner.language;
  }
  return manner;
}

/** The lines of a result that its summary stands for. */
const withoutDetails = (text: string, language: Language): string => {
  const { details, canDo } = phrases[language];
  return text
    .split('\n\n')
    .filter((paragraph) => !paragraph.startsWith(`**${details}**`) && !paragraph.startsWith(canDo))
    .join('\n\n');
};

/** A greeting with the person's name. */
function addressed(text: string, name: string, language: Language): string {
  const { greeting } = phrases[language];
  if (!text.startsWith(greeting)) return text;
  const mark = /\s?[!！]$/u.exec(greeting)?.[0] ?? '';
  const joint = language === 'zh-Hant' ? '，' : language === 'fr' ? ' ' : ', ';
  return `${greeting.slice(0, greeting.length - mark.length)}${joint}${name}${mark}${text.slice(greeting.length)}`;
}

/** An answer as the person wants it. */
export function inManner(text: string, { name, isInformal, isShort }: Manner, language: Language): string {
  const lasting = isShort ? withoutDetails(text, language) : text;
  const named = name === null ? lasting : addressed(lasting, name, language);
  return isInformal ? informal(named, language) : named;
}
