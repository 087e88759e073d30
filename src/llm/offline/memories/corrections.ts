import { fold, tidy } from '../reading/words/fold.js';
import { findDates } from '../reading/dates.js';
import type { Language } from '../reading/words/language.js';
import { sentencesOf } from '../reading/read.js';
import { ended } from '../wording/best-sentences.js';
import { isOneName, type KnownMemory, speaksOf } from './known.js';
import { clausesOf, orderedClause } from './notes/clauses.js';
import { type Note, noteOf } from './notes/note.js';
import { noteIn } from './notes/notes-in.js';
import { contactIn, emailIn, phoneIn } from './notes/people.js';
import { nameIn } from './notes/preferences.js';
import { topicOf } from './notes/topics.js';

/** «Non, en fait …», «actually …», «不對，其實…» */
const opening =
  /^\W*(?:corrige[rz]?|rectifie[rz]?|corrija|correct(?: that)?|更正)\s*[:：,，]\s*|^\W*(?:(?:(?:ah |euh )?non|no|oups|pardon|desolee?|sorry|excuse[zs]?-moi|finalement|en fait|en realite|plutot|correction|je me suis trompee?|je corrige|actually|in fact|finally|rather|i was wrong|i meant|wait|en realidad|perdon|mejor dicho|finalmente|al final|me equivoque|ah)\b[\s,:.!…-]*(?:que\s+)?){1,3}|^\W*(?:(?:不對|不是|其實|更正|抱歉|說錯了|錯了|應該)[，,：:。\s]*){1,3}/;
/** The same inside a sentence: «la réunion est finalement vendredi» */
const changing =
  /\b(?:finalement|en fait|plutot|desormais|maintenant|deplacee?|reportee?|now|actually|finally|instead|moved|postponed|rescheduled|finalmente|ahora|en realidad|se ha (?:movido|pasado|cambiado)|aplazad[oa])\b|改到|改成|改為|其實|現在是/;
const pointing =
  /^(?:c'est|c'etait|ce sera|il s'agit de|it's|it is|it will be|that's|es|era|sera|是|應該是)\s*(?:plutot\s+|rather\s+)?(?:a\s+(?=\d))?/;

/** Up to the verb of a fact and with it: what stands behind is its value. */
const uptoVerb =
  /^.{2,80}?\s(?:est|sont|sera|seront|part|a lieu|aura lieu|commence|tombe|is|are|will be|starts?|leaves|takes place|es|son|sera|empieza|sale|cae|(?<=^je )prefere|prefer|prefiero)\s|^.{1,30}?(?:改到|改成|訂在|定在|是|在)/;

const isSame = (note: Note, memory: KnownMemory): boolean => {
  if (note.kind !== memory.kind) return false;
  if (fold(note.subject) === fold(memory.subject)) return true;
  if (note.kind === 'CONTACT') return isOneName(memory.subject, note.subject);
  const topic = topicOf(fold(note.content));
  if (topic !== null) return topic === topicOf(fold(`${memory.subject} ${memory.content}`));
  return speaksOf(memory.subject, note.content) || speaksOf(note.subject, memory.subject);
};

const longestContent = 1000;

/** What somebody or something is called: all else that is told of it holds besides. */
const naming =
  /(?<!\p{L})(?:s'appelle(?:nt)?|se nomme(?:nt)?|(?:is|are) (?:called|named)|se llaman?)(?!\p{L})|叫|名為/u;
const isNaming = (sentence: string): boolean => naming.test(fold(sentence));

/** A fact with what is known of its subject: a name takes the place of a name, all else of all else. */
function withKnownFact({ content }: Note, memory: KnownMemory): string {
  const kept = sentencesOf(memory.content).filter((each) => isNaming(each) !== isNaming(content));
  const both = [...kept.map((each) => ended(each)), content].join(/\p{Script=Han}/u.test(content) ? '' : ' ');
  return both.length <= longestContent ? both : content;
}

/** What is known of a contact by its attributes, and by what its content says. */
const knownOf = ({ content, attributes }: KnownMemory): Readonly<Record<string, string>> => ({
  ...contactIn(orderedClause(content))?.attributes,
  ...attributes,
});

/** What is known of a contact with another address or number in it, where nothing else of it changes. */
function withNewAddress({ attributes }: Note, { content }: KnownMemory): string | null {
  const [given, ...others] = Object.entries(attributes);
  if (!given || others.length > 0) return null;
  const [key, value] = given;
  const before = key === 'email' ? emailIn(content) : key === 'phone' ? phoneIn(content) : null;
  return before === null ? null : content.replace(before, () => value);
}

/** What is told of a contact besides what is known: both, where the one contradicts nothing of the other. */
function withWhatIsKnown(note: Note, memory: KnownMemory): string {
  if (note.kind === 'FACT')
    return isNaming(note.content + memory.content) ? withKnownFact(note, memory) : note.content;
  if (note.kind !== 'CONTACT') return note.content;
  const renewed = withNewAddress(note, memory);
  if (renewed !== null) return renewed;
  const known = knownOf(memory);
  const isOther = Object.entries(note.attributes).some(
    ([key, value]) => known[key] !== undefined && fold(known[key]) !== fold(value),
  );
  const before = memory.content.trim();
  if (isOther || before === '' || fold(note.content).includes(fold(before))) return note.content;
  if (fold(before).includes(fold(note.content))) return before;
  const stop = /[.。!！…]$/u.test(before) ? '' : /\p{Script=Han}$/u.test(before) ? '。' : '.';
  const gap = /\p{Script=Han}/u.test(note.content) ? '' : ' ';
  const both = `${before}${stop}${gap}${note.content}`;
  return both.length <= longestContent ? both : note.content;
}

/** A note with the subject that is known already for what it is about, so that it takes its place. */
export function withKnownSubject(note: Note, memories: readonly KnownMemory[]): Note {
  const same = memories.filter((each) => isSame(note, each));
  const memory = same.at(-1);
  // A first name that several people have tells none of them.
  const isTold =
    note.kind !== 'CONTACT' || same.every(({ subject }) => fold(subject) === fold(memory?.subject ?? ''));
  if (!memory || memory.subject === '' || !isTold) return note;
  return { ...note, subject: memory.subject, content: withWhatIsKnown(note, memory) };
}

/** A known memory with another value: an address, a name, or what stands behind the verb. */
function revised({ kind, subject, content, attributes }: Note, value: string): Note | null {
  const email = emailIn(value);
  const before = emailIn(content) ?? attributes['email'] ?? null;
  if (email !== null) {
    if (before === null) return null;
    const changed = kind === 'CONTACT' ? { ...attributes, email } : attributes;
    return noteOf(kind, subject, content.replace(before, email), changed);
  }
  const name = nameIn(content);
  if (name !== null) return noteOf(kind, subject, content.replace(name, value));
  const head = uptoVerb.exec(fold(tidy(content)))?.[0].length;
  return head === undefined ? null : noteOf(kind, subject, `${content.slice(0, head)}${value}`, attributes);
}

const longestValue = 120;

/** What stands behind «c'est»; a single address or day, too. */
function valueIn(rest: string): string | null {
  const folded = fold(rest);
  const lead = pointing.exec(folded)?.[0].length ?? 0;
  const value = rest.slice(lead).replace(/[\s.!。！]+$/u, '');
  if (value === '' || value.length > longestValue) return null;
  const isBare = emailIn(value) === value || findDates(folded).some(({ start }) => start === 0);
  return lead > 0 || isBare ? value : null;
}

/** What a sentence corrects: the last thing that was noted, or something known of which it speaks; null: nothing. */
export function correctionIn(
  sentence: string,
  { last, memories }: { last: Note | null; memories: readonly KnownMemory[] },
  language: Language,
): Note | null {
  const text = tidy(sentence).trim();
  if (text.length > 400 || /[?？]/u.test(text)) return null;
  const folded = fold(text);
  const lead = opening.exec(folded)?.[0].length ?? 0;
  if (lead === 0 && !(changing.test(folded) && clausesOf(text).length > 0)) return null;
  const rest = text.slice(lead).trim();
  const value = lead > 0 && last ? valueIn(rest) : null;
  const again = value !== null && last ? revised(last, value) : null;
  if (again) return withKnownSubject(again, memories);
  if (rest === '') return null;
  const ordered = clausesOf(rest).find((clause) => clause.isOrdered);
  // «Retiens que … maintenant» says itself what is to be noted.
  if (ordered && lead === 0) return null;
  const note = noteIn(ordered ?? orderedClause(rest), language);
  const known = note ? [...memories, ...(last ? [{ ...last, since: null }] : [])] : [];
  return note && known.some((memory) => isSame(note, memory)) ? withKnownSubject(note, known) : null;
}
