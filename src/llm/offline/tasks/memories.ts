import type { JsonObject } from '../../../common/json.js';
import { correctionIn, withKnownSubject } from '../memories/corrections.js';
import type { KnownMemory } from '../memories/known.js';
import { orderToForget } from '../memories/forgetting.js';
import type { Note, NoteKind } from '../memories/notes/note.js';
import { noteKinds } from '../memories/notes/note.js';
import { toldIn } from '../memories/notes/notes-in.js';
import { fold } from '../reading/words/fold.js';
import type { Language } from '../reading/words/language.js';
import { sentencesOf } from '../reading/read.js';
import { toSentence } from '../sentence.js';
import { quotedMessages } from './exchange.js';

const mostMemories = 5;
const mostSentences = 60;
const longestMessage = 8_000;

const numbered = /^(\d{1,3})\. \[([A-Z]+)\] ([^:：\n]{1,200}?)\s?[:：]\s*(.*)$/u;

interface Numbered extends KnownMemory {
  number: number;
}

/** The notes that the task lists, above everything that was said. */
function listedIn(task: string): Numbered[] {
  return task.split('\n').flatMap((line): Numbered[] => {
    const [, number, kind, subject = '', content = ''] = numbered.exec(line) ?? [];
    const known = noteKinds.find((each): each is NoteKind => each === kind);
    if (number === undefined || known === undefined) return [];
    return [{ number: Number(number), kind: known, subject, content, attributes: {}, since: null }];
  });
}

/** The last message of the member's is the question; those before it only tell what it goes on from. */
function saidByMember(task: string): { question: string; before: string } {
  const own = quotedMessages(task).filter(({ isMember }) => isMember);
  return { question: own.at(-1)?.text.slice(0, longestMessage) ?? '', before: own.at(-2)?.text ?? '' };
}

/** What the simple cases of a question tell that is worth keeping: not what it asks, supposes, denies or quotes. */
function notesIn(task: string, listed: readonly Numbered[], language: Language): Note[] {
  const { question, before } = saidByMember(task);
  const last = toldIn(before.slice(0, longestMessage), language).at(-1)?.notes.at(-1) ?? null;
  return sentencesOf(question)
    .slice(0, mostSentences)
    .flatMap((sentence): Note[] => {
      if (orderToForget(sentence) !== null) return [];
      const correction = correctionIn(sentence, { last, memories: listed }, language);
      if (correction) return [correction];
      const { kind, measures } = toSentence(sentence);
      const told = toldIn(sentence, language);
      const isOrdered = told.some((each) => each.isOrdered);
      if (!isOrdered && (measures || kind === 'QUESTION')) return [];
      return told.flatMap(({ notes }) => notes);
    });
}

const isSame = (note: Note, { kind, subject }: Numbered): boolean =>
  note.kind === kind && fold(note.subject) === fold(subject);

/** What a task that asks for what is to be remembered is answered with: at most five notes, each from the question. */
export function memoriesToNote(task: string, language: Language): JsonObject[] {
  const listed = listedIn(task);
  return notesIn(task, listed, language)
    .slice(0, mostMemories)
    .map((each) => {
      const { kind, subject, content, attributes } = withKnownSubject(each, listed);
      const replaced = listed.find((memory) => isSame({ ...each, subject }, memory));
      return {
        kind,
        subject,
        content,
        ...(Object.keys(attributes).length > 0 && { attributes: { ...attributes } }),
        ...(replaced && { replaces: replaced.number }),
        message: 'question',
      };
    });
}
