import { fold, tidy } from '../../reading/words/fold.js';
import { sentencesOf } from '../../reading/read.js';
import { workBehind } from './work-behind.js';

/** A part of a message that may say something to be remembered. */
export interface Clause {
  text: string;
  /** As long as `text`. */
  folded: string;
  /** «Retiens que …»: whatever it says is to be remembered. */
  isOrdered: boolean;
}

const longestSentence = 600;
const mostClauses = 8;

const courtesy =
  /^[\s¿¡]*(?:(?:bonjour|bonsoir|salut|hello|hi|hey|hola|et|and|y|ok|alors|au fait|by the way|por cierto|finalement|en fait|actually|finalmente|en realidad|aussi|also|stp|svp|please|por favor|s'il (?:te|vous) plait|你好|您好|另外|對了)[\s,!，！、]+){0,3}/;

/** «Retiens», «could you please note», «no olvides», «請幫我記住», with what leads over to what is to be remembered. */
const orders: readonly RegExp[] = [
  /^(?:(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez|merci de|il faut|je veux que tu|je voudrais que (?:tu|vous)|j'aimerais que (?:tu|vous)|veuillez)\s+)?(?:retien(?:s|nes)|retenez|retenir|souviens-toi|souvenez-vous|te souvenir|vous souvenir|rappelle-toi|rappelez-vous|notez?|noter|memorisez?|memoriser|enregistrez?|enregistrer|gardez? en (?:memoire|tete)|n'oublie[sz]? (?:pas|jamais))(?:\s+(?:bien|aussi|egalement|s'il (?:te|vous) plait|stp|svp|pour (?:la suite|plus tard)))*\s*(?:[:,]\s*|\s(?:de\s+)?(?:ceci|cela|ca)\s*[:,]\s*|\s(?:le fait )?qu(?:e\s+|')|\s(?=(?:mon|ma|mes|le|la|les|un|une|notre|nos)\s|l'))/,
  /^(?:(?:can|could|would|will) you (?:please )?|please |i(?:'d like| want) you to |you should )?(?:remember|note(?: down)?|keep in mind|bear in mind|memori[sz]e|make a note|take note|write down|(?:do not|don't|never) forget)(?: too| also| please)?\s*(?:[:,]\s*|\s(?:this|it)\s*[:,]\s*|\sthat\s+|\s(?=(?:my|the|our|i|i'm|we)\s))/,
  /^(?:(?:puedes|podrias|puede|quiero que|por favor)\s+)?(?:recuerda|recuerde|recordar|recuerdes|acuerdate(?: de)?|acuerdese(?: de)?|anota|anote|anotar|apunta|apunte|apuntar|toma nota(?: de)?|memoriza|ten en cuenta|tenga en cuenta|guarda|no (?:te )?olvid(?:es|e)(?: de)?)(?:\s+(?:tambien|bien|por favor))*\s*(?:[:,]\s*|\s(?:esto|eso)\s*[:,]\s*|\sque\s+|\s(?=(?:mi|mis|el|la|los|las|un|una|nuestr[oa]s?)\s))/,
  /^(?:請|麻煩)?(?:你|您)?(?:幫我|替我|務必|一定要)?(?:記住|記得|記下來?|記錄|記一下|牢記|(?:別|不要|請勿)忘(?:記|了)?)(?:一件事|這件事|這點)?\s*[:：,，]?\s*/,
];

/** «Remember what I said?» asks. */
const asksBack =
  /^(?:ce qu|comment|quand|ou |si |pourquoi|combien|qui |quel|what|when|how|where|who|why|which|whether|lo que|cuando|como |donde|quien|cual|什麼|誰|哪|多少|怎麼|如何)|嗎/;

const supposing =
  /\b(?:si (?:je|j'|on|nous|tu|vous|mon|ma|le|la|yo|mi)|if (?:i|we|you|my|the)|imagin\w+|suppos\w+|supongamos|disons que|let's say|admettons|par exemple|for (?:example|instance)|por ejemplo|peut-etre|maybe|perhaps|quizas?|a lo mejor)\b|如果|假如|假設|要是|例如|比如|也許|可能/;
const denying =
  /\b(?:ne|n'\w+|pas|jamais|not|never|no longer|don't|doesn't|isn't|aren't|wouldn't|nunca|tampoco)\b|(?:^|[\s,])no\s|不(?!動產)|沒有|別|並非/;
/** What somebody else says is theirs to say. */
const reporting =
  /\b(?:(?:a|as|ont|m'a|avait) (?:dit|ecrit|repondu|demande)|(?:dit|ecrit|affirme|pretend) que|says?|said|told|wrote|asked|claims?|dijo|dice|dicen|escribio|pregunto|segun|selon|according to)\b|說(?!明)|表示|寫道|據/;
const longQuotation = /[«“「『"]\s*[^«»“”「」『』"]{25,}[»”」』"]/;

const following =
  /\s*;\s*|,?\s+(?:et|and|y)\s+(?:(?:aussi|also|tambien)\s+)?(?:que\s+|qu'|that\s+)?(?=(?:je|j'|appelle|tutoie|vouvoie|mon|ma|le projet|i|i'd|call|my|the project|prefiero|llamame|mi|el proyecto)(?:\s|'|-))|[，；、](?=(?:而且|也)?(?:我(?!們)|請?叫我|請?稱呼我))/;

/** A sentence's parts, where another thing to be remembered begins in it. */
function parted(text: string, folded: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: joint } of folded.matchAll(new RegExp(following, 'g'))) {
    parts.push(text.slice(start, index));
    start = index + joint.length;
  }
  return [...parts, text.slice(start)].filter((part) => part.trim() !== '');
}

/** A text as the clause that somebody ordered to remember. */
export function orderedClause(given: string): Clause {
  const text = tidy(given).trim();
  return { text, folded: fold(text), isOrdered: true };
}

/** «On peut se tutoyer ?», «can you call me Ben?»: a wish that is put as a question. */
const wishing =
  /^(?:on peut|peut-on|(?:est-ce qu')?on (?:peut |pourrait )?|tu peux|peux-tu|vous pouvez|pouvez-vous|can you|could you|would you|puedes|podrias)\s?.{0,20}?\b(?:tutoy\w+|tutoie\w*|vouvoy\w+|vouvoie\w*|m'appeler|call me|llamarme|tutearme)\b/;
const thanking =
  /[\s,]+(?:s'il (?:te|vous) plait|stp|svp|merci(?: (?:beaucoup|d'avance))?|please|thanks|thank you|por favor|gracias)[\s.!]*$|[，,\s]*(?:謝謝|拜託|麻煩了)[。！]*$/;

/** «…, retiens-le», behind what is to be remembered. */
const orderedBehind =
  /[\s,;:–-]+(?:et )?(?:(?:retiens|retenez|notez?|memorisez?|enregistrez?|souviens-toi|souvenez-vous)(?:-(?:le|la|les|en|moi ca)| (?:bien )?ca| bien|-t'en)?|souviens-t'en|souvenez-vous-en|ne l'oubliez? pas|n'oubliez? pas|(?:please )?(?:remember|note|keep in mind|don't forget) (?:that|this|it)|recuerdal[oa]|anotal[oa]|apuntal[oa]|no l[oa] olvid(?:es|e))(?: (?:bien|stp|svp|s'il (?:te|vous) plait|please|por favor))?[\s.!]*$|[，,\s]+(?:請)?(?:幫我)?(?:記住|記下來?|記得|別忘了?)(?:這(?:件事|點))?[。！\s]*$/;

/** Where what is to be remembered begins in a sentence that orders to; null: it does not. */
function orderedFrom(folded: string): number | null {
  const lead = courtesy.exec(folded)?.[0].length ?? 0;
  for (const order of orders) {
    const match = order.exec(folded.slice(lead));
    if (match && !asksBack.test(folded.slice(lead + match[0].length))) return lead + match[0].length;
  }
  return null;
}

/** Whether a sentence only states: it asks, supposes, denies and quotes nothing. */
const isPlain = (text: string, folded: string): boolean =>
  !/[?？]/u.test(text) &&
  !supposing.test(folded) &&
  !denying.test(folded) &&
  !reporting.test(folded) &&
  !longQuotation.test(text);

/** The clauses of one sentence; none where it could only be misread. */
export function clausesOf(sentence: string): Clause[] {
  const text = tidy(sentence);
  if (text.length > longestSentence || text.startsWith('>')) return [];
  const folded = fold(text);
  const lead = courtesy.exec(folded)?.[0].length ?? 0;
  const end = orderedBehind.exec(folded)?.index ?? 0;
  const before = wishing.test(folded.slice(lead)) ? lead : orderedFrom(folded);
  const start = before ?? (end > lead ? lead : null);
  if (start === null && !isPlain(text, folded)) return [];
  const whole = text.slice(start ?? lead, end > (start ?? lead) ? end : undefined).replace(/[\s?？]+$/u, '');
  const said = whole.slice(0, thanking.exec(fold(whole))?.index ?? whole.length);
  return parted(said, fold(said))
    .slice(0, mostClauses)
    .map((part) => ({ text: part.trim(), folded: fold(part.trim()), isOrdered: start !== null }))
    .filter((clause) => /\p{L}{2}|\p{Script=Han}/u.test(clause.text));
}

const mostSentences = 60;

const longestOrder = 2000;

/** «Retiens que …, puis calcule …»: what is to be done next is another sentence, and no part of the note. */
function workApart(sentence: string): string[] {
  const text = tidy(sentence);
  if (text.length > longestOrder) return [sentence];
  const folded = fold(text);
  const start = orderedFrom(folded);
  const work = start === null ? null : workBehind(folded.slice(start));
  if (start === null || !work) return [sentence];
  return [text.slice(0, start + work.start).trim(), text.slice(start + work.end).trim()];
}

/** The sentences of a message, with the work behind an order to remember as one of its own. */
export const sentencesApart = (text: string): string[] => sentencesOf(text).flatMap(workApart);

/** The sentences of a message that may say something to be remembered: not those of a text handed over with it. */
export const toldSentences = (text: string): string[] => sentencesApart(text).slice(0, mostSentences);
