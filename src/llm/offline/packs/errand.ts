import type { Conversation } from '../conversation.js';
import type { Question } from '../message.js';
import type { Reading } from '../reading/read.js';
import { salientWords } from '../reading/words/salient.js';
import { asksForMeaning } from '../sentence.js';
import { isSmallTalk } from '../small-talk.js';
import type { ToldPack } from './catalogue.js';
import { asksForAnother, asksForDraft, namesAnother } from './document-request.js';
import { type Errand, isAnswerTo, type OpenErrand, openErrandOf } from './open-errand.js';
import { fittingPacks } from './pack-fit.js';

const goingOn =
  /\b(?:redact\w+|redig\w+|datos|que (?:mas )?falta|donnees|manque|data|missing|comprobaciones|verifications?|checks?|checklist)\b|資料|還缺|檢查/;
/** «¿Qué fianza corresponde?» */
const ofMatter =
  /\b(?:que|cual(?:es)?|cuant[oa]s?|cuando|como|quien(?:es)?|quel(?:le)?s?|combien|quand|comment|qui|what|which|how|when|who)\b[^]*\?|(?:什麼|多少|如何|怎麼|幾|哪)[^]*[?？]/;
const listing = /\b(?:habilidades|competences|modes operatoires|skills|abilities)\b|技能|指引|能力/;
const asking = /[?？]|\b(?:lista|liste|list|muestra|montre|show|cuales|quelles|which|what)\b|哪些|什麼/;

/** «What skills have you got?» */
export const asksForCatalogue = ({ folded }: Reading): boolean => listing.test(folded) && asking.test(folded);

/** A question about what instructions deal with, and not for what they make. */
export const asksOfMatter = (reading: Reading): boolean =>
  ofMatter.test(reading.folded) && !asksForDraft(reading) && !goingOn.test(reading.folded);

/** A statement goes on from what was spoken of, and a question about it; a request for something else does not. */
function continues({ now }: Question): boolean {
  const { folded, text } = now.reading;
  if (namesAnother(folded)) return false;
  if (asksForDraft(now.reading) || goingOn.test(folded) || asksOfMatter(now.reading)) return true;
  return !/[?？]/u.test(text) && !asksForAnother(folded) && salientWords(text).length > 0;
}

const isAboutWords = ({ now }: Question): boolean =>
  now.sentences.length > 0 && now.sentences.every(asksForMeaning);

/** `isServed`: other skills answer the question. */
export function errandOf(
  packs: readonly ToldPack[],
  { earlier }: Conversation,
  question: Question,
  isServed: boolean,
): Errand {
  const { text, reading } = question.now;
  const none = { packs: [], said: [] };
  if (packs.length === 0 || isSmallTalk(reading) || asksForCatalogue(reading) || isAboutWords(question))
    return none;
  const open = openErrandOf(packs, earlier);
  const now = fittingPacks(packs, text);
  if (now.length > 0) {
    if (open && now.every((pack) => open.packs.includes(pack)))
      return { packs: now, said: [...open.said, text] };
    return open && isAnswerTo(open, text, now) ? goneOn(open, text) : { packs: now, said: [text] };
  }
  if (isServed || !continues(question)) return none;
  return open ? goneOn(open, text) : none;
}

const goneOn = ({ packs, said }: OpenErrand, text: string): Errand => ({ packs, said: [...said, text] });
