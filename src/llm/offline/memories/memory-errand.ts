import type { JsonObject } from '../../../common/json.js';
import type { Conversation } from '../conversation.js';
import type { LookupCall } from '../lookup/web.js';
import type { CompletionRequest } from '../server/protocol.js';
import { fold, tidy } from '../reading/words/fold.js';
import { read, sentencesOf } from '../reading/read.js';
import { toSentence } from '../sentence.js';
import { isSmallTalk } from '../small-talk.js';
import { answerTo } from './memory-answer.js';
import { correctionIn, withKnownSubject } from './corrections.js';
import { type Forgetting, forgettingOf, orderToForget } from './forgetting.js';
import { FORGET_MEMORY, isMemoryTool, RECALL, REMEMBER } from './memory-tools.js';
import { type MemoryQuestion, memoryQuestionIn } from './memory-question.js';
import { sentencesApart } from './notes/clauses.js';
import { type Note, noteKinds } from './notes/note.js';
import { toldIn } from './notes/notes-in.js';
import { asksForDay, comingDayIn, todayIn } from './period.js';
import { dayInWords } from './wording/told-memories.js';

/** What a message wants of what is remembered, and what it says besides. */
export interface MemoryErrand {
  notes: readonly Note[];
  /** Whether any of them was ordered to be noted, and not only said. */
  isOrdered: boolean;
  forgettings: readonly Forgetting[];
  questions: readonly MemoryQuestion[];
  /** The day that it is asked on, where it asks for that. */
  day: string | null;
  /** The message without all that; empty: it says nothing else. */
  rest: string;
}

const nothing = (rest: string): MemoryErrand => ({
  notes: [],
  isOrdered: false,
  forgettings: [],
  questions: [],
  day: null,
  rest,
});

const mostNotes = 5;
/** Of questions and of orders to forget: each is looked for in all that is known. */
const mostSearches = 3;
const mostSentences = 60;
const longestMessage = 8_000;
const mostEarlier = 4;

/** What a sentence of the company's own affairs is left to: whoever keeps the company's profile. */
const ofCompany =
  /\b(?:nous|notre|nos|on a|we|our|nuestr[oa]s?|tenemos|somos|(?:mon|mi|my) (?:entreprise|societe|empresa|company|business))\b|我們|本公司|公司/;

/** The last thing that the person said to be remembered in this conversation, before the question. */
export function lastNote({ earlier, language }: Pick<Conversation, 'earlier' | 'language'>): Note | null {
  for (const { question } of earlier.slice(-mostEarlier).toReversed()) {
    const note =
      question.length > longestMessage ? undefined : toldIn(question, language).at(-1)?.notes.at(-1);
    if (note) return note;
  }
  return null;
}

/** Whether an order to forget was answered by asking which of several memories is meant. */
const asksWhich = ({ earlier }: Conversation): boolean => {
  const last = earlier.at(-1);
  return (
    last !== undefined &&
    /[?？]/u.test(last.answer) &&
    sentencesOf(last.question.slice(0, longestMessage)).some((each) => orderToForget(each) !== null)
  );
};

/** Reads a message sentence by sentence. */
class Errand {
  readonly notes: Note[] = [];
  isOrdered = false;
  readonly forgettings: Forgetting[] = [];
  readonly questions: MemoryQuestion[] = [];
  day: string | null = null;
  private readonly today: string | null;
  private readonly last: Note | null;

  constructor(
    private readonly conversation: Conversation,
    /** Whether the company's profile takes what a sentence says. */
    private readonly isProfiled: (sentence: string) => boolean,
  ) {
    this.today = todayIn(conversation.prompt);
    this.last = lastNote(conversation);
  }

  /** Whether a sentence was taken. */
  takes(sentence: string): boolean {
    return (
      this.takesDay(sentence) ||
      this.takesForgetting(sentence) ||
      this.takesQuestion(sentence) ||
      this.takesNotes(sentence)
    );
  }

  private takesDay(sentence: string): boolean {
    if (this.today === null || !asksForDay(fold(tidy(sentence)))) return false;
    this.day = this.today;
    return true;
  }

  private takesForgetting(sentence: string): boolean {
    const { known, language } = this.conversation;
    const words = this.forgettings.length < mostSearches ? orderToForget(sentence) : null;
    const forgetting = words === null ? null : forgettingOf(words, known.memories, language);
    if (forgetting === null || (forgetting.what === 'LAST' && this.last === null)) return false;
    const { last } = this;
    const meant =
      forgetting.what === 'LAST' && last
        ? ({ what: 'ONE', subject: last.subject, kind: last.kind } as const)
        : forgetting;
    this.forgettings.push(meant);
    return true;
  }

  private takesQuestion(sentence: string): boolean {
    if (this.questions.length >= mostSearches) return false;
    const question = memoryQuestionIn(toSentence(sentence), this.today);
    if (question) this.questions.push(question);
    return question !== null;
  }

  private takesNotes(sentence: string): boolean {
    const { known, language } = this.conversation;
    const { memories } = known;
    const last = this.notes.at(-1) ?? this.last;
    const correction = correctionIn(sentence, { last, memories }, language);
    const told = correction ? [] : toldIn(sentence, language);
    const isOrdered = told.some((each) => each.isOrdered);
    const notes = correction ? [correction] : told.flatMap((each) => each.notes);
    if (notes.length === 0 || this.notes.length + notes.length > mostNotes) return false;
    const read = toSentence(sentence);
    if (!isOrdered && (read.measures || read.kind === 'QUESTION')) return false;
    const isFact = notes.every(({ kind }) => kind === 'FACT');
    if (isFact && ofCompany.test(read.reading.folded) && this.isProfiled(sentence)) return false;
    this.isOrdered ||= isOrdered || correction !== null;
    for (const note of notes) this.add(this.dated(withKnownSubject(note, memories)));
    return true;
  }

  /** With the day that «demain» is: it will be another one when it is read. */
  private dated(note: Note): Note {
    const day = comingDayIn(fold(note.content), this.today);
    const words = dayInWords(day, this.conversation.language);
    if (words === null) return note;
    const [stop = ''] = /[.。…]?$/u.exec(note.content) ?? [];
    const said = note.content.slice(0, note.content.length - stop.length);
    return { ...note, content: `${said}${stop === '。' ? `（${words}）` : ` (${words})`}${stop}` };
  }

  /** In the place of what the same message said before of the same. */
  private add(note: Note): void {
    const isSame = ({ kind, subject }: Note): boolean => kind === note.kind && subject === note.subject;
    const before = this.notes.findIndex(isSame);
    if (before >= 0) this.notes.splice(before, 1);
    this.notes.push(note);
  }
}

/** What a message wants of what is remembered. `isProfiled`: whether the company's profile takes what a sentence says. */
export function memoryErrandOf(
  conversation: Conversation,
  isProfiled: (sentence: string) => boolean,
): MemoryErrand {
  const { question, known, language } = conversation;
  if (question.length > longestMessage) return nothing(question);
  if (asksWhich(conversation) && question.length <= 120 && !/[?？]/u.test(question)) {
    const forgetting = forgettingOf(question.replace(/[\s.!。！]+$/u, ''), known.memories, language);
    if (forgetting?.what === 'ONE' || forgetting?.what === 'PERSON')
      return { ...nothing(''), forgettings: [forgetting] };
  }
  const errand = new Errand(conversation, isProfiled);
  const left = sentencesApart(question).filter(
    (sentence, at) => at >= mostSentences || !errand.takes(sentence),
  );
  const { notes, isOrdered, forgettings, questions, day } = errand;
  if (notes.length + forgettings.length + questions.length === 0 && day === null) return nothing(question);
  const rest = left.filter((sentence) => !isSmallTalk(read(sentence))).join('\n');
  return { notes, isOrdered, forgettings, questions, day, rest };
}

/** The names of the memory skills that may be called now: not those that were called since the question. */
export function memoryToolsOf(
  { tools, tool_choice: choice }: CompletionRequest,
  { memoryResults }: Conversation,
): ReadonlySet<string> {
  if (choice === 'none' || typeof choice === 'object') return new Set();
  const called = new Set(memoryResults.map(({ name }) => name));
  const names = tools.map((tool) => tool.function.name);
  return new Set(names.filter((name) => isMemoryTool(name) && !called.has(name)));
}

const argumentsOf = ({ kind, subject, content, attributes }: Note): JsonObject => ({
  kind,
  subject,
  content,
  ...(Object.keys(attributes).length > 0 && { attributes: { ...attributes } }),
});

/** A recall of what a question is about, from earlier conversations too. */
export function recallCall({ query, period, isAboutAll }: MemoryQuestion): LookupCall {
  const days: JsonObject = period ? { from: period.from, to: period.to } : {};
  const kinds: JsonObject = isAboutAll ? { kinds: [...noteKinds] } : {};
  return { name: RECALL, arguments: { ...(query === '' ? {} : { query }), ...kinds, ...days } };
}

function forgetCalls(forgetting: Forgetting): LookupCall[] {
  if (forgetting.what === 'PERSON')
    return forgetting.memories.flatMap(({ subject, kind }) => forgetCalls({ what: 'ONE', subject, kind }));
  if (forgetting.what !== 'ONE') return [];
  const kind: JsonObject = forgetting.kind === null ? {} : { kind: forgetting.kind };
  return [{ name: FORGET_MEMORY, arguments: { subject: forgetting.subject, ...kind } }];
}

/** The calls that a message wants: what is noted and forgotten, and what is looked for where it is not known yet. */
export function memoryCalls(
  { notes, forgettings, questions }: MemoryErrand,
  { known, question, language }: Conversation,
  callable: ReadonlySet<string>,
): LookupCall[] {
  const remembers = notes.map((note) => ({ name: REMEMBER, arguments: argumentsOf(note) }));
  const forgets = forgettings.flatMap(forgetCalls);
  const recalls = questions
    .filter((asked) => asked.isAboutAll || answerTo(asked, known, question, language) === '')
    .map(recallCall);
  return [...forgets, ...remembers, ...recalls].filter(({ name }) => callable.has(name));
}
