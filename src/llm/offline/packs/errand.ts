import type { Conversation } from '../conversation.js';
import type { Question } from '../message.js';
import type { Reading } from '../reading/read.js';
import { salientWords } from '../reading/salient.js';
import { asksForMeaning } from '../sentence.js';
import { isSmallTalk } from '../small-talk.js';
import type { ToldPack } from './catalogue.js';
import { fittingPacks } from './pack-fit.js';

const mostRemembered = 8;

const draft =
  /\b(?:borrador(?:es)?|estructuras?|plantillas?|modelos?|esquemas?|clausulas?|brouillons?|canevas|trames?|modeles?|structures?|clauses?|drafts?|outlines?|templates?)\b|草稿|草擬|架構|結構|範本|條款/;
const goingOn =
  /\b(?:redact\w+|redig\w+|datos|que (?:mas )?falta|donnees|manque|data|missing|comprobaciones|verifications?|checks?|checklist)\b|資料|還缺|檢查/;
const another =
  /\b(?:necesito|quiero|quisiera|preparame|prepara|prepare|hazme|il me faut|j'ai besoin|je (?:veux|voudrais)|i (?:need|want)|i'd like)\b|需要|想要/;
/** «Un contrato de arras»: another document than the one that was spoken of. */
const anotherDocument =
  /\b(?:una?|otr[oa]|une?|an?|another) (?:contrato|escritura|acta|poder|contrat|acte|contract|deed)\b/;
/** «¿Qué fianza corresponde?» */
const ofMatter =
  /\b(?:que|cual(?:es)?|cuant[oa]s?|cuando|como|quien(?:es)?|quel(?:le)?s?|combien|quand|comment|qui|what|which|how|when|who)\b[^]*\?|(?:什麼|多少|如何|怎麼|幾|哪)[^]*[?？]/;
const listing = /\b(?:habilidades|competences|modes operatoires|skills|abilities)\b|技能|指引|能力/;
const asking = /[?？]|\b(?:lista|liste|list|muestra|montre|show|cuales|quelles|which|what)\b|哪些|什麼/;

/** «What skills have you got?» */
export const asksForCatalogue = ({ folded }: Reading): boolean => listing.test(folded) && asking.test(folded);

/** «Redacta el borrador»: the document itself, as far as it goes. */
export const asksForDraft = ({ folded }: Reading): boolean => draft.test(folded);

/** A question about what instructions deal with, and not for what they make. */
export const asksOfMatter = (reading: Reading): boolean =>
  ofMatter.test(reading.folded) && !asksForDraft(reading) && !goingOn.test(reading.folded);

/** What instructions a question is about. */
export interface Errand {
  packs: readonly ToldPack[];
  /** What the user said of it, oldest first, the question among it. */
  said: readonly string[];
}

/** A statement goes on from what was spoken of, and a question about it; a request for something else does not. */
function continues({ now }: Question): boolean {
  const { folded, text } = now.reading;
  if (anotherDocument.test(folded)) return false;
  if (asksForDraft(now.reading) || goingOn.test(folded) || asksOfMatter(now.reading)) return true;
  return !/[?？]/u.test(text) && !another.test(folded) && salientWords(text).length > 0;
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
  const now = fittingPacks(packs, text);
  if (now.length > 0) return { packs: now, said: [...startOf(packs, earlier, now), text] };
  if (isServed || !continues(question)) return none;
  const before = lastFitting(packs, earlier);
  return before ? { packs: before.packs, said: [...before.said, text] } : none;
}

/** The last message that asked for packs and was not taken back, and all that was said from there on. */
function lastFitting(packs: readonly ToldPack[], earlier: Conversation['earlier']): Errand | null {
  const recent = earlier
    .filter(({ unanswered }) => unanswered !== 'WITHDRAWN')
    .slice(-mostRemembered)
    .map(({ question }) => question);
  for (let at = recent.length - 1; at >= 0; at -= 1) {
    const found = fittingPacks(packs, recent[at] ?? '');
    if (found.length > 0) return { packs: found, said: recent.slice(at) };
  }
  return null;
}

/** What was said of the same packs before: nothing, when the last errand was another. */
function startOf(
  packs: readonly ToldPack[],
  earlier: Conversation['earlier'],
  now: readonly ToldPack[],
): readonly string[] {
  const before = lastFitting(packs, earlier);
  const isSame = before !== null && now.every((pack) => before.packs.includes(pack));
  return isSame ? before.said : [];
}
