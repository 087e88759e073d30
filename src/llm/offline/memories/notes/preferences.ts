import { fold, wordsOf } from '../../reading/words/fold.js';
import type { Language } from '../../reading/words/language.js';
import type { Clause } from './clauses.js';
import { namePattern } from './names.js';
import { type Note, noteOf } from './note.js';
import { labelOf, topicOf } from './topics.js';

/** «Je préfère», «I'd rather have», «prefiero», «我比較喜歡»: what follows is liked better. */
const preferring =
  /\b(?:je prefere(?:rais)?|j'aime(?:rais)? (?:mieux|autant|bien)|je suis plus a l'aise (?:avec|quand)|i(?:'d| would)? (?:much |really |always )?(?:prefer|rather(?: have)?)|i(?:'d| would)? like (?=.{2,60} better)|prefiero|preferiria|me gustan? mas)\b\s*(?:(?:que|to|d'|de)\s*)?|我(?:都|還是|一向|通常)?(?:比較|更|最)?(?:喜歡|偏好|寧可|寧願)/;
/** What only an order to remember it makes a preference. */
const liking =
  /\b(?:je n'aime pas|je deteste|j'adore|j'aime|je ne (?:veux|mange|bois|travaille) (?:pas|plus|jamais)|i (?:do not|don't) (?:like|want)|i (?:like|love|hate)|no me gustan?|me gustan?|odio|no quiero)\b\s*(?:(?:les?|la|the|el|los|las)\s+)?|我(?:不喜歡|不要|討厭|習慣)/;
/** «Réponds toujours en anglais»: an order for good, not for this once. */
const forGood =
  /\b(?:toujours|desormais|dorenavant|a l'avenir|(?:a partir|des) (?:de )?maintenant|always|from now on|in (?:the )?future|siempre|a partir de ahora|de ahora en adelante)\b|以後|從現在起|今後|每次/;
const ordering =
  /\b(?:repond[sz]?|ecri[sv]\w*|parle[sz]?|envoie[sz]?|commence[sz]?|evite[sz]?|answer|reply|write|speak|send|avoid|use|keep|responde|responda|contesta|escribe|escriba|habla|usa|evita)\b|回答|回覆|使用|請用/;
/** «Prefiero un contrato de alquiler»: what is to be drawn up now, and no habit. */
const document =
  /^\W*(?:une?|una?|an?) (?:contrat|acte|brouillon|contract|lease|deed|draft|contrato|escritura|acta|borrador)\b/;
const addressing =
  /^(?:(?:(?:est-ce qu')?on peut|peut-on|tu peux|peux-tu|vous pouvez|pouvez-vous|je veux que tu|j'aimerais que (?:tu|vous))\s+)?(?:(?:me|nous|se)\s+)?(?:tutoyer|tutoie|tutoyez|vouvoyer|vouvoie|vouvoyez|tuteame|tratame de (?:tu|usted)|puedes tutearme|tratarme de (?:tu|usted))\b/;

/** «Mon café préféré est …»: what stands between names what it is about. */
const favourite =
  /^(?:mon|ma|mes|my|mi|mis)\s+([^,.;:]{2,40}?\s(?:prefere|favori|favorit|preferid)\p{L}*|favou?rite\s[^,.;:]{2,40}?)\s+(?:est|sont|is|are|es|son)\s/u;

const calling = new RegExp(
  String.raw`(?:[Aa]ppelle-moi|[Aa]ppelez-moi|m'appeler|[Cc]all me|[Ll]l[aá]mame|[Ll]l[aá]meme|puedes llamarme)\s+["«“]?\s*(${namePattern})`,
  'u',
);
const hanCalling =
  /(?:叫我|稱呼我為?)[「『]?([\p{Script=Han}\p{L}]{1,12}?)(?=就好|即可|[」』，。！,!.\s]|$)/u;
const ownName = new RegExp(
  String.raw`(?:^|\s)(?:[Jj]e m'appelle|[Mm]on (?:prénom|nom) est|[Mm]y (?:first )?name is|[Mm]e llamo|[Mm]i nombre es)\s+(${namePattern})`,
  'u',
);
const hanName = /(?:^|，)我(?:叫|的名字(?:叫|是))([\p{Script=Han}\p{L}]{2,12}?)(?=[，。！,!.\s]|$)/u;

/** Where what is preferred goes over into when, how and instead of what. */
const circumstance =
  /\s(?:(?:le|la|les|l'|en|a|au|aux|avec|sans|par|pour|dans|sur|plutot|qu(?:e|'|and)|in|on|at|by|with|without|for|over|to|rather|than|instead|when|por|con|sin|para|cuando|mejor|antes)(?:\s|$)|l')|[,.;:(]|better\b/;
const article = /^(?:(?:les?|la|des?|du|un|une|mes|my|the|an?|el|los|las|mis|que)\s+|l')/;
const mostWords = 6;

/** The thing that is preferred, without when or how, so that another wish about it is known for one. */
export function thingIn(phrase: string): string {
  const folded = fold(phrase);
  const lead = article.exec(folded)?.[0].length ?? 0;
  const end = circumstance.exec(folded.slice(lead))?.index ?? folded.length;
  const thing = phrase.slice(lead, lead + (end > 0 ? end : folded.length)).trim();
  const words = wordsOf(fold(thing)).slice(0, mostWords);
  return thing.slice(0, words.at(-1)?.end ?? thing.length).replace(/[」』。！，]+$/u, '');
}

/** What the person is called: by wish, or by name. */
export function nameNoteIn({ text }: Clause, language: Language): Note | null {
  const wished = calling.exec(text)?.[1] ?? hanCalling.exec(text)?.[1];
  const name = wished ?? ownName.exec(text)?.[1] ?? hanName.exec(text)?.[1];
  return name === undefined ? null : noteOf('PREFERENCE', labelOf('name', language), text);
}

/** The name that a text asks to be called by. */
export const nameIn = (text: string): string | null =>
  (calling.exec(text) ?? hanCalling.exec(text) ?? ownName.exec(text) ?? hanName.exec(text))?.[1] ?? null;

/** What a clause says is preferred. */
export function preferenceIn(clause: Clause, language: Language): Note | null {
  const { text, folded, isOrdered } = clause;
  const [, thingOfAll] = favourite.exec(folded) ?? [];
  if (thingOfAll !== undefined) {
    const at = folded.indexOf(thingOfAll);
    return noteOf('PREFERENCE', text.slice(at, at + thingOfAll.length), text);
  }
  const match = preferring.exec(folded) ?? (isOrdered ? liking.exec(folded) : null);
  const isStanding =
    addressing.test(folded) || (ordering.test(folded) && (isOrdered || forGood.test(folded)));
  const rest = match ? text.slice(match.index + match[0].length) : text;
  if ((!match && !isStanding) || (!isOrdered && document.test(fold(rest)))) return null;
  const topic = topicOf(folded);
  if (topic !== null) return noteOf('PREFERENCE', labelOf(topic, language), text);
  const thing = thingIn(rest);
  return thing === '' ? null : noteOf('PREFERENCE', thing, text);
}
