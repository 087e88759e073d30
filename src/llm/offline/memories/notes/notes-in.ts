import { detectLanguage } from '../../../../common/text/text-language.js';
import type { Language } from '../../reading/words/language.js';
import { wordsOf } from '../../reading/words/fold.js';
import { salientWords } from '../../reading/words/salient.js';
import { type Clause, clausesOf, toldSentences } from './clauses.js';
import { namesIn } from './names.js';
import { type Note, noteOf } from './note.js';
import { contactIn, ownAddressIn } from './people.js';
import { nameNoteIn, preferenceIn } from './preferences.js';
import { projectIn } from './projects.js';
import { labelOf, ownTopicOf } from './topics.js';

const topic =
  /^(?:mon|ma|mes|notre|nos|le|la|les|l'|my|our|the|mi|mis|nuestr[oa]s?|el|los|las)(?:\s+|(?<='))(.{2,60}?)\s*(?:,?\s(?:c'est|c est|c|ce sont)\s|\s(?:n'|ne )?(?:est|sont|sera|seront|part|partent|a lieu|aura lieu|se (?:trouve|tient)|commence|tombe|s'appelle(?:nt)?|se nomme(?:nt)?|is|are|will|starts?|leaves|takes place|es|son|esta|sera|empieza|sale|cae|se llaman?)\s|:)/;
const hanTopic =
  /^(?:我的|我們的|我們|我|這個|那個)?([\p{Script=Han}\p{L}\p{N}]{1,16}?)不?(?:是|在|為|叫做?|名叫|改到|改成|訂在|定在|：)/u;
const mostWords = 5;

/** What a fact is about: what stands before its verb, else the names in it, else its first words that tell. */
export function factSubject(clause: Clause): string {
  const { text, folded } = clause;
  const han = hanTopic.exec(text)?.[1];
  if (han !== undefined) return han;
  const match = topic.exec(folded);
  if (match?.[1] !== undefined) {
    const at = match[0].indexOf(match[1]);
    return text.slice(at, at + match[1].length);
  }
  const [name] = namesIn(clause);
  if (name?.start === 0) return name.text;
  const words = salientWords(text).slice(0, mostWords);
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return text.slice(0, wordsOf(folded)[mostWords - 1]?.end ?? text.length);
  return text.slice(first.start, last.end);
}

/** What one clause says that is worth remembering; null: nothing, where nobody ordered to remember it. */
export function noteIn(clause: Clause, language: Language): Note | null {
  return (
    nameNoteIn(clause, language) ??
    ownAddressIn(clause, language) ??
    projectIn(clause) ??
    preferenceIn(clause, language) ??
    contactIn(clause) ??
    (clause.isOrdered ? factIn(clause, language) : null)
  );
}

function factIn(clause: Clause, language: Language): Note {
  const own = ownTopicOf(clause.folded);
  return noteOf('FACT', own === null ? factSubject(clause) : labelOf(own, language), clause.text);
}

/** A sentence with what it gives to remember. */
export interface ToldSentence {
  sentence: string;
  notes: readonly Note[];
  isOrdered: boolean;
}

/** The sentences of a message that give something to remember. `otherwise`: where nothing tells its language. */
export function toldIn(message: string, otherwise: Language): ToldSentence[] {
  const language = detectLanguage(message) ?? otherwise;
  return toldSentences(message).flatMap((sentence): ToldSentence[] => {
    const clauses = clausesOf(sentence);
    const notes = clauses
      .flatMap((clause) => noteIn(clause, language) ?? [])
      .filter(({ subject }) => subject !== '');
    return notes.length > 0
      ? [{ sentence, notes, isOrdered: clauses.some(({ isOrdered }) => isOrdered) }]
      : [];
  });
}
