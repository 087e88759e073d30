import { fold, tidy } from '../reading/words/fold.js';
import { likeness, Subject } from '../reading/words/likeness.js';
import type { Language } from '../reading/words/language.js';
import { askedFor } from './memory-question.js';
import { type KnownMemory, namesOne, speaksOf } from './known.js';
import { orderedClause } from './notes/clauses.js';
import { noteIn } from './notes/notes-in.js';
import type { NoteKind } from './notes/note.js';

const polite =
  /^[\s¿¡]*(?:(?:bonjour|hello|hola|please|por favor|s'il (?:te|vous) plait|svp|stp|ok|merci|et|and|y)[\s,!]*){0,2}(?:(?:peux-tu|pouvez-vous|tu peux|vous pouvez|can you|could you|puedes|podrias)\s+(?:please\s+)?)?/;
const orders: readonly RegExp[] = [
  /^(?:oublie[rz]?|forget|olvid(?:a|ar|e)|olvidate de)\s+(?!de )(?:about\s+|completement\s+)?/,
  /^(?:efface[rz]?|supprime[rz]?|enleve[rz]?|erase|delete|remove|borra[r]?|borre|elimina[r]?)\s+(?=(?:de ta memoire|de tes notes|ce que|tout ce que|le souvenir|la note|les notes|mes preferences|ma preference|que je|what i|everything you|the (?:note|memory)|my preference|from your memory|lo que|el recuerdo|la nota|mi preferencia|de tu memoria))/,
  /^olvid[ae](?=l[oa]\b)/,
  /^(?:請|麻煩)?(?:你|您)?(?:幫我)?(?:把)?(?:忘掉|忘記|忘了|刪除(?=.{0,20}(?:記憶|筆記|偏好)))/,
];
const around =
  /^(?:(?:de (?:ta memoire|tes notes)|from your memory|de tu memoria)\s+)?(?:(?:tout )?ce que (?:je (?:t'ai|vous ai)|tu (?:sais|as note)|vous (?:savez|avez note))(?: dit| appris)?(?: (?:sur|de|a propos de|au sujet de))?\s+|tout ce qui concerne\s+|(?:le souvenir|la note|les notes) (?:sur|de|a propos de)\s+|(?:what|everything) (?:i|you) (?:told you|said|know|noted|have noted) (?:about|of)\s+|everything about\s+|the (?:note|memory) (?:about|of)\s+|(?:todo )?lo que (?:te dije|sabes|has anotado) (?:de|sobre)\s+|(?:el recuerdo|la nota) (?:de|sobre)\s+|我(?:說過的|告訴(?:你|您)的)|關於)/;
const than = /^(?:qu(?:e\s+|')|that\s+|que\s+)/;
const all =
  /^(?:tout|everything|all|todo|一切|全部|所有)\b[\s.!]*$|^(?:tout ce que tu sais|everything you know|todo lo que sabes)|(?:所有|全部)/;
const pointing = /^(?:(?:ca|cela|that|it|this|eso|esto|lo)\b|這個|那個|這件事)[\s.!]*$/;

const kinds: readonly (readonly [NoteKind, RegExp])[] = [
  ['PROJECT', /\b(?:projets?|projects?|proyectos?)\b|專案|項目|計畫/],
  ['PREFERENCE', /\b(?:prefer\w*|prefier\w*)\b|偏好|喜歡/],
  ['CONTACT', /\b(?:contacts?|contactos?)\b|聯絡人/],
];

/** What is to be forgotten. */
export type Forgetting =
  | { what: 'ONE'; subject: string; kind: NoteKind | null }
  /** The last thing that was noted. */
  | { what: 'LAST' }
  /** All that is noted under a person's name, of whatever kind. */
  | { what: 'PERSON'; memories: readonly KnownMemory[] }
  /** One of several, which the words do not tell apart. */
  | { what: 'WHICH'; memories: readonly KnownMemory[] }
  | { what: 'ALL' };

/** What stands behind an order to forget; null: a sentence that orders nothing of the kind. */
export function orderToForget(sentence: string): string | null {
  const text = tidy(sentence).trim();
  if (text.length > 400) return null;
  const folded = fold(text);
  const lead = polite.exec(folded)?.[0].length ?? 0;
  for (const order of orders) {
    const match = order.exec(folded.slice(lead));
    if (match) return text.slice(lead + match[0].length).replace(/[\s.!?。！？]+$/u, '');
  }
  return null;
}

const alikeEnough = 0.34;

/** The memories that words speak of best: several where they name several contacts alike. */
function memoriesMeant(words: string, memories: readonly KnownMemory[]): KnownMemory[] {
  const asked = new Subject(askedFor(words));
  if (asked.most === 0) return [];
  const scored = memories.map((memory) => ({
    memory,
    score:
      likeness(asked, `${memory.subject}\n${memory.content}`) +
      (speaksOf(memory.subject, words) ? 1 : 0) +
      (memory.kind === 'CONTACT' && namesOne(memory.subject, words) ? 0.5 : 0),
  }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  if (!best || best.score < alikeEnough) return [];
  const isNamed = ({ kind, subject }: KnownMemory): boolean => kind === 'CONTACT' && namesOne(subject, words);
  if (!isNamed(best.memory) || speaksOf(best.memory.subject, words)) return [best.memory];
  return memories.filter(isNamed);
}

/** What stands under the name of a contact, the contact first: nobody means only a part who gives the name alone. */
const underName = (contact: KnownMemory, memories: readonly KnownMemory[]): KnownMemory[] => [
  contact,
  ...memories.filter((each) => each.kind !== 'CONTACT' && fold(each.subject) === fold(contact.subject)),
];

/** «Mes préférences»: nothing but their kind. */
const kindAlone =
  /^(?:(?:mon|ma|mes|le|la|les|ce|cette|my|the|mi|mis|el|la|los|las)\s+)?(?:preferences?|preferencias?|projets?|projects?|proyectos?|contacts?|contactos?)$|^(?:我的)?(?:偏好|專案|聯絡人)$/;

const kindIn = (folded: string): NoteKind | null =>
  kinds.find(([, pattern]) => pattern.test(folded))?.[0] ?? null;

const leading =
  /^(?:我的|關於)(?:偏好|專案|聯絡人)?|^(?:(?:mon|ma|mes|le|la|les|l'|notre|my|our|the|mi|mis|el|los|las|nuestr[oa]s?)\s*(?:\s|(?<=')))?(?:(?:projets?|projects?|proyectos?|contacts?|contactos?|preferences?|preferencias?)\s+(?:(?:pour|sur|for|about|de|d'|por|sobre)\s+)?(?:(?:les?|la|the|el|los|las)\s+)?)?/;

const partOfContact =
  /(?<!\p{L})(?:numeros?|telephone|portable|adresse|e-?mails?|mails?|courriel|entreprise|societe|number|phone|address|company|telefono|movil|correo|direccion|empresa)(?!\p{L})|電話|手機|電子郵件|電郵|信箱|公司/u;

/** What is to be forgotten by the words behind the order to. */
export function forgettingOf(
  given: string,
  memories: readonly KnownMemory[],
  language: Language,
): Forgetting | null {
  const folded = fold(given);
  if (all.test(folded)) return { what: 'ALL' };
  if (pointing.test(folded)) return { what: 'LAST' };
  const words = given.slice(around.exec(folded)?.[0].length ?? 0).trim();
  if (words === '') return null;
  const found = memoriesMeant(words, memories);
  const [meant] = found;
  // All of a contact goes together: nobody loses it who names only the number.
  const isPart = meant?.kind === 'CONTACT' && partOfContact.test(folded);
  if (found.length > 1 || isPart) return { what: 'WHICH', memories: found };
  if (meant?.kind === 'CONTACT') return { what: 'PERSON', memories: underName(meant, memories) };
  if (meant) return { what: 'ONE', subject: meant.subject, kind: meant.kind };
  const kind = kindIn(folded);
  const ofKind = memories.filter((memory) => memory.kind === kind);
  if (kindAlone.test(fold(words)) && ofKind.length > 1) return { what: 'WHICH', memories: ofKind };
  const [only] = kindAlone.test(fold(words)) ? ofKind : [];
  if (only) return { what: 'ONE', subject: only.subject, kind: only.kind };
  const clauseText = words.slice(than.exec(fold(words))?.[0].length ?? 0);
  const note = noteIn(orderedClause(clauseText), language);
  if (note && note.kind !== 'FACT') return { what: 'ONE', subject: note.subject, kind: note.kind };
  const subject = words.slice(leading.exec(fold(words))?.[0].length ?? 0).trim() || words;
  return { what: 'ONE', subject: subject.slice(0, 120), kind };
}
