import { fold, tidy } from '../reading/words/fold.js';
import { salientWords } from '../reading/words/salient.js';
import type { Sentence } from '../sentence.js';
import { type Period, periodIn } from './period.js';

/** «What do you know of me?» */
const aboutMyself =
  /\b(?:(?:que|qu'est-ce que|ce que) (?:sais-tu|savez-vous|tu sais|vous savez|tu connais|vous connaissez|tu as (?:note|retenu)|vous avez (?:note|retenu)|as-tu (?:note|retenu)|avez-vous (?:note|retenu)) (?:de|sur|a propos de) moi|qu'as-tu (?:note|retenu)(?: (?:de|sur|a propos de) moi)?\s*\??$|qu'avez-vous (?:note|retenu)(?: (?:de|sur) moi)?\s*\??$|tout ce que (?:tu sais|vous savez|tu as note|tu as retenu)|(?:tes|vos) souvenirs|(?:everything|what)(?: all)? (?:do )?you (?:know|remember|have noted) (?:about|of) me|what have you noted|what do you remember\s*\??$|que (?:sabes|sabe|recuerdas|recuerda|has anotado) (?:de|sobre) mi(?! \p{L})|todo lo que (?:sabes|sabe|recuerdas))(?!\p{L})|(?:你|您)(?:都|還)?(?:知道|記得|記住了?|了解)我(?:的)?(?:什麼|哪些|多少)|關於我.{0,6}(?:知道|記得|記住)|(?:你|您)記(?:得|住)(?:了)?(?:什麼|哪些)/u;

/** «What did we decide?», «te souviens-tu de Marc ?», «rappelle-moi l'adresse de Marc» */
const aboutBefore =
  /\b(?:te souviens-tu|tu te (?:souviens|rappelles)|vous souvenez-vous|vous vous souvenez|te rappelles-tu|rappelle[zs]?-moi (?!de |a |dans |demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|(?:t'|vous )(?:ai-je|avais-je|avait-on)(?: deja)? (?:dit|parle|donne)|(?:je|on) (?:t'ai|t'avais|vous ai|vous avais|t'a|vous a) (?:deja )?(?:dit|parle|donne|confie)|(?:avons|avions)-nous (?:deja )?(?:decide|dit|convenu|parle|prevu|choisi|retenu)|(?:nous avons|nous avions|on a|on avait|a-t-on|avait-on) (?:deja )?(?:decide|convenu|parle|dit|prevu|choisi)|do you (?:still )?remember|remind me (?!to\b|in\b|at\b|on\b|tomorrow)|(?:did|had|have) (?:i|we) (?:ever |already )?(?:say|said|tell|told|decide|decided|agree|agreed|discuss|discussed|mention|mentioned|choose|chosen|talk|talked)|(?:i|we) (?:told you|said|decided|agreed|discussed|mentioned|talked about)|(?:te|le) (?:dije|conte|hable|comente)|que (?:dijimos|decidimos|acordamos|hablamos|quedamos|elegimos)|(?:recuerdas|te acuerdas|se acuerda|recuerdame (?!que ))|(?:hemos|habiamos) (?:decidido|acordado|hablado|dicho))\b|(?:你|您)(?:還)?記得|提醒我(?:一下)?我|我(?:之前|以前|上次)?(?:跟(?:你|您))?(?:說過|提過|告訴過?(?:你|您))|(?:我們|上次|之前).{0,12}(?:決定|討論|談|說)(?:了|過|好)?(?:什麼|哪)/;

/** «What do you know of Marc?»; of the company, its profile tells. */
const aboutSomebody =
  /\b(?:(?:que|qu'est-ce que) (?:sais-tu|savez-vous|tu sais|vous savez|as-tu note|avez-vous note) (?:de |d'|du |des |sur |a propos d[eu] )|what (?:do you (?:know|remember)|have you noted) (?:about |of )|que (?:sabes|sabe|recuerdas) (?:de |sobre ))(?!(?:nous|us|nosotros|moi|me)\b|mi\b(?! \p{L})|(?:notre|mon|l'|la|our|my|the|nuestra|mi) ?(?:entreprise|societe|company|business|firm|empresa))/u;

const questioning = /[?？]|^\W*(?:rappelle|recuerdame|remind|dis-moi|tell me|dime)/;

/** Of what a question for memories says besides what they are about. */
const around: ReadonlySet<string> = new Set(
  (
    'souviens souvenez rappelle rappelez rappelles dit dis parle parles decide decidions convenu prevu choisi retenu note notee noter confie donne prefere preferes preferee preferees preference preferences deja sais savez sujet propos hier avant derniere dernier passe passee semaine lundi mardi mercredi jeudi vendredi samedi dimanche matin aujourd hui ' +
    'remember remind said told tell prefer prefers preferred favourite favorite preference preferences decide decided agree agreed discuss discussed mention mentioned talk talked ever already still yesterday last week before noted monday tuesday wednesday thursday friday saturday sunday today morning ' +
    'recuerdas recuerda prefiero prefieres preferido preferida preferencia preferencias recuerdame acuerdas acuerda dije conte hable comente dijimos decidimos acordamos hablamos quedamos sabes ayer pasada pasado semana lunes martes miercoles jueves viernes sabado domingo hoy hablado'
  ).split(' '),
);
const hanAround =
  /還?記得|提醒我?(?:一下)?|之前|以前|上次|上(?:個)?(?:星期|週|禮拜)[一二三四五六日天]?|(?:星期|週|禮拜)[一二三四五六日天]|昨天|前天|今天|今早|剛才|聊(?:了|過)?|告訴過?|說過?|提過|決定(?:了|過)?|討論(?:了|過)?|談(?:了|過)?|跟|了|過/g;

/** A question that only what is remembered answers. */
export interface MemoryQuestion {
  /** Its words that say what about; empty: about anything. */
  query: string;
  period: Period | null;
  /** Everything that is known of the person is asked for. */
  isAboutAll: boolean;
  /** It asks what was said, not what is so. */
  isAboutSaying: boolean;
}

/** What a question asks memories for, without the words that only ask. */
export function askedFor(text: string): string {
  const words = salientWords(text)
    .filter((word) => !around.has(fold(tidy(word.text))))
    .map((word) => word.text.replaceAll(hanAround, ' ').trim())
    .filter((word) => word !== '');
  return words.slice(0, 12).join(' ').slice(0, 200);
}

/** What a sentence asks of what is remembered, in so many words; null: nothing. `today`: YYYY-MM-DD. */
export function memoryQuestionIn({ reading }: Sentence, today: string | null): MemoryQuestion | null {
  const { folded, text } = reading;
  if (text.length > 600) return null;
  const isAboutAll = aboutMyself.test(folded);
  const isAboutSaying = aboutBefore.test(folded);
  const isAsked = questioning.test(folded) || isAboutAll;
  if (!isAsked || !(isAboutAll || isAboutSaying || aboutSomebody.test(folded))) return null;
  const period = periodIn(folded, today);
  return { query: isAboutAll ? '' : askedFor(text), period, isAboutAll, isAboutSaying };
}
