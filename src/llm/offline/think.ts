import { createHash } from 'node:crypto';
import { amountsLeftOut } from './arguments/amounts-left-out.js';
import { type Conversation, conversationOf } from './conversation.js';
import type { AskedCall, CompletionRequest, Reply } from './server/protocol.js';
import { isBare, questionOf } from './follow-up.js';
import { keepsCompanyFacts } from './own-company.js';
import { analysisCalls } from './lookup/analysis.js';
import { documentCalls, namesDocuments } from './lookup/documents.js';
import { isLookup, lookupCalls } from './lookup/lookup.js';
import { isControl } from './lookup/controls.js';
import { isPlanning, moveCall, synthesisCall } from './lookup/plan.js';
import type { LookupCall } from './lookup/web.js';
import { subjectOf } from './lookup/query.js';
import { inManner } from './memories/manner.js';
import { memoryCalls, memoryErrandOf, memoryToolsOf } from './memories/memory-errand.js';
import { isMemoryTool } from './memories/memory-tools.js';
import { nothingRecalled, type Remembered, rememberedFor } from './memories/personal-question.js';
import { memoryWords } from './memories/wording/memory-words.js';
import { type Catalogue, catalogueIn } from './packs/catalogue.js';
import { asksForCatalogue, errandOf } from './packs/errand.js';
import type { Errand } from './packs/open-errand.js';
import { isOwnTool } from './packs/own-tools.js';
import { firstFound, knownPacks, packCalls, searchCalls } from './packs/pack-calls.js';
import {
  GENERATE_REPORT,
  reportArguments,
  reportCalls,
  reportsLast,
  withAllAnswers,
} from './reports/report-chain.js';
import { skillsInPrompt } from './prompt-skills.js';
import { isSmallTalk } from './small-talk.js';
import { taskCall } from './tasks/task.js';
import { Message, Question } from './message.js';
import { bestTool, type Choice, chooseTools, extractionFor, isComplete } from './tool-choice.js';
import { profileOf, type ToolProfile } from './tool-profile.js';
import { closing, paragraphs, wordAnswer } from './wording/answer.js';
import { PackAnswer, tellCatalogue } from './wording/packs/pack-answer.js';
import { isOfDocuments, passagesAnswer } from './wording/prose/passages-prose.js';
import { wordMissing, wordUnfilled } from './wording/question-back.js';
import { refusedAnswers } from './wording/refused-answers.js';
import { wordNoTool } from './wording/talk.js';

/** The tools the request lets the model call: none, all, or the one it forces. */
function offered(request: CompletionRequest, all: readonly ToolProfile[]): readonly ToolProfile[] {
  const choice = request.tool_choice;
  if (choice === 'none') return [];
  return all.filter(({ tool }) => typeof choice === 'string' || choice.name === tool.name);
}

/** The same call in the same state of a conversation has the same id; any other has another. */
function toCall(request: CompletionRequest, call: LookupCall): AskedCall {
  const text = JSON.stringify(call.arguments);
  const digest = createHash('sha256')
    .update(JSON.stringify(request.messages))
    .update(`\n${call.name}\n${text}`)
    .digest('hex');
  return { id: `call_${digest.slice(0, 24)}`, name: call.name, arguments: text };
}

/** What a request asks of the tools. */
interface Deliberation {
  question: Question;
  /** All that the request knows, callable or not. */
  known: readonly ToolProfile[];
  /** Those called since the question. */
  called: readonly ToolProfile[];
  /** Those that look something up are none of them: what they are asked follows from more than the question. */
  choices: readonly Choice[];
  catalogue: Catalogue;
  errand: Errand;
  /** What is remembered of a question that nothing else answers. */
  remembered: Remembered;
}

function deliberate(request: CompletionRequest, conversation: Conversation): Deliberation {
  const given = request.tools
    .map((tool) => tool.function)
    .filter(({ name }) => !isControl(name) && !isOwnTool(name));
  const known = (given.length > 0 ? given : skillsInPrompt(conversation.prompt)).map((tool) =>
    profileOf(tool, keepsCompanyFacts(conversation.prompt)),
  );
  const profiles = given.length > 0 ? offered(request, known).filter(isNoLookup) : [];
  const names = new Set(conversation.results.map((result) => result.name));
  const called = known.filter((profile) => names.has(profile.tool.name));
  const working = called.filter(isNoLookup);
  const choose = (one: Question) => chooseTools(one, profiles, []);
  const question = questionOf(conversation.earlier, conversation.question, choose);
  const together = chooseTools(question, profiles, working);
  const useless = question.before !== null && working.length === 0 && !isComplete(together);
  const choices = useless ? chooseTools(new Question(question.now), profiles, working) : together;
  const mustCall = request.tool_choice !== 'auto' && request.tool_choice !== 'none' && !isPlanning(request);
  // One forced call was answered: forced again, it could only be repeated.
  const forced =
    mustCall && choices.length === 0 && called.length === 0 ? bestTool(question, profiles) : null;
  const chosen = forced ? [forced] : choices;
  const catalogue = catalogueIn(conversation.prompt);
  const errand = errandOf(knownPacks(catalogue, conversation), conversation, question, chosen.length > 0);
  const isOpen = chosen.length + errand.packs.length + conversation.results.length === 0;
  const decided = { question, known, called, choices: chosen, catalogue, errand };
  const found = isOpen ? asFound(conversation, question, profiles, errand) : { choices: chosen, errand };
  const isUnanswered =
    found.choices.length + found.errand.packs.length === 0 &&
    !isBare(question.now.reading) &&
    isOnlySearched(conversation, question);
  const callable = memoryToolsOf(request, conversation);
  const remembered = isUnanswered ? rememberedFor(conversation, question, callable) : nothingRemembered;
  return { ...decided, ...found, remembered };
}

const nothingRemembered: Remembered = { answer: '', call: null };

/** Where nothing else decides: the first thing that a search for skills found. What changes something is not called so. */
function asFound(
  conversation: Conversation,
  question: Question,
  profiles: readonly ToolProfile[],
  errand: Errand,
): Pick<Deliberation, 'choices' | 'errand'> {
  const [call, load] = [
    firstFound(conversation, question, 'call'),
    firstFound(conversation, question, 'load'),
  ];
  const profile = profiles.find(({ tool, kind }) => tool.name === call && kind !== 'WRITE');
  const packs = load === null ? errand.packs : [{ key: load, description: '', category: null }];
  const said = load === null ? errand.said : [question.now.text];
  return {
    choices: profile ? [{ profile, extraction: extractionFor(profile, question) }] : [],
    errand: { packs, said },
  };
}

/** What is looked up, or remembered, follows from more than the question. */
const isNoLookup = ({ tool }: ToolProfile): boolean => !isLookup(tool.name) && !isMemoryTool(tool.name);

/** What to call now: what writes goes alone, so that what follows works with what it wrote. */
function callsNow(conversation: Conversation, { question, known, choices }: Deliberation): LookupCall[] {
  const complete = choices.filter(({ extraction }) => extraction.complete);
  const writes = complete.filter(({ profile }) => profile.kind === 'WRITE');
  const calls = (writes.length > 0 ? writes : complete).map(({ profile: { tool }, extraction }) => ({
    name: tool.name,
    arguments: withAllAnswers(tool.parameters, extraction.arguments, conversation),
  }));
  const wantsReport =
    writes.length === 0 && choices.some(({ profile }) => profile.tool.name === GENERATE_REPORT);
  const report = wantsReport ? reportArguments(known, question, conversation) : null;
  const others = calls.filter(({ name }) => name !== GENERATE_REPORT);
  return report ? [...others, { name: GENERATE_REPORT, arguments: report }] : others;
}

/** Whether what is offered may be called as it is needed. */
const isFree = ({ tools, tool_choice: choice }: CompletionRequest): boolean =>
  tools.length > 0 && choice !== 'none' && typeof choice !== 'object';

/** What to call for an answer: a search for skills where nothing that is offered fits, else all that is wanted. */
function callsFor(
  request: CompletionRequest,
  conversation: Conversation,
  deliberation: Deliberation,
): LookupCall[] {
  const { question, known, choices, errand, catalogue, remembered } = deliberation;
  if (remembered.call) return [remembered.call];
  const lookedUp =
    analysisCalls(request, conversation, question) ?? documentCalls(request, conversation, question, choices);
  if (lookedUp) return lookedUp;
  const isServed = choices.length + errand.packs.length > 0 || remembered.answer !== '';
  const { reading } = question.now;
  const isTalk = isSmallTalk(reading) || asksForCatalogue(reading);
  const searches = isServed || isTalk ? [] : searchCalls(request, conversation, question);
  if (searches.length > 0) return searches;
  const { loaded } = catalogue;
  const reports = isFree(request) ? reportCalls(conversation, known, question) : [];
  return [
    ...reportsLast(callsNow(conversation, deliberation), reports),
    ...packCalls(request, conversation, question, { errand, loaded }),
    ...lookupCalls(request, conversation, question, isServed),
  ];
}

/** Whether the company's profile takes what a sentence says. */
const isProfiled =
  (request: CompletionRequest, { prompt }: Conversation) =>
  (sentence: string): boolean => {
    const keepsFacts = keepsCompanyFacts(prompt);
    const offers = offered(
      request,
      request.tools.map((tool) => profileOf(tool.function, keepsFacts)),
    ).filter(isNoLookup);
    return chooseTools(new Question(new Message(sentence)), offers, []).some(
      ({ profile, extraction }) => profile.kind === 'WRITE' && extraction.complete,
    );
  };

const calling = (request: CompletionRequest, calls: readonly LookupCall[]): Reply => ({
  toolCalls: calls.map((call) => toCall(request, call)),
});

/** The offline model's whole mind: the same request always gets the same reply. */
export function think(request: CompletionRequest): Reply {
  const conversation = conversationOf(request);
  const task = taskCall(request, conversation);
  const reply = task ? calling(request, [task]) : replyTo(request, conversation);
  const { manner, language } = conversation;
  return 'text' in reply ? { text: inManner(reply.text, manner, language) } : reply;
}

/** What the message wants of what is remembered comes first; then all that it says besides. */
function replyTo(request: CompletionRequest, whole: Conversation): Reply {
  const wanted = memoryErrandOf(whole, isProfiled(request, whole));
  const calls = memoryCalls(wanted, whole, memoryToolsOf(request, whole));
  if (calls.length > 0) return calling(request, calls);
  const told = memoryWords(wanted, whole);
  if (told === '') return workOn(request, whole, '');
  if (wanted.rest !== '') return workOn(request, { ...whole, question: wanted.rest }, told);
  return isPlanning(request)
    ? calling(request, [synthesisCall(whole, false)])
    : { text: closing(told, whole) };
}

/** The calls or the words for a message. `told`: what is said before them. */
function workOn(request: CompletionRequest, conversation: Conversation, told: string): Reply {
  const deliberation = deliberate(request, conversation);
  const { question, choices } = deliberation;
  const calls = callsFor(request, conversation, deliberation);
  if (isPlanning(request)) {
    const move = moveCall(request, conversation, question);
    const plan = move ? [move] : calls.length > 0 ? calls : [synthesisCall(conversation, choices.length > 0)];
    return calling(request, plan);
  }
  if (calls.length > 0) return calling(request, calls);
  return { text: paragraphs(told, wordsFor(conversation, deliberation)) };
}

/** Whether the skills are known by their descriptions alone. */
const isToldOnly = (known: readonly ToolProfile[]): boolean =>
  known.every(({ tool }) => Object.keys(tool.parameters).length === 0);

/** The skill that a question calls for and that was not called: it could not be filled. Told by its description alone. */
function unfilledIn(question: Question, known: readonly ToolProfile[]): ToolProfile | null {
  if (!isToldOnly(known)) return null;
  const works = known.filter((profile) => profile.kind === 'OTHER' && isNoLookup(profile));
  return chooseTools(question, works, [])[0]?.profile ?? null;
}

/** Whether the documents were searched, without an answer, and nothing else was done. */
const isOnlySearched = (conversation: Conversation, question: Question): boolean =>
  conversation.results.every(isOfDocuments) &&
  passagesAnswer(conversation, subjectOf(question, conversation.earlier)) === null;

function wordsFor(conversation: Conversation, deliberation: Deliberation): string {
  const { question, catalogue, errand } = deliberation;
  const { packs, groups, loaded } = catalogue;
  if (asksForCatalogue(question.now.reading) && packs.length + groups.length > 0)
    return closing(tellCatalogue(catalogue, conversation, question), conversation);
  const ofPacks = new PackAnswer(conversation, question, errand.said).text(loaded);
  if (ofPacks === '') return wordsOfTools(conversation, deliberation);
  return conversation.results.length > 0
    ? paragraphs(ofPacks, wordsOfTools(conversation, deliberation))
    : closing(ofPacks, conversation);
}

function wordsOfTools(conversation: Conversation, deliberation: Deliberation): string {
  const { question, known, called, choices, catalogue, remembered } = deliberation;
  if (remembered.answer !== '') return closing(remembered.answer, conversation);
  const isTalk = isSmallTalk(question.now.reading) || (choices.length > 0 && !namesDocuments(question));
  // Documents are searched before anything else, also where a greeting or a question back is the answer.
  if (conversation.results.length > 0 && !(isTalk && isOnlySearched(conversation, question))) {
    const unread = isToldOnly(known)
      ? amountsLeftOut(question.reading, conversation.results)
      : called.flatMap((profile) => extractionFor(profile, question).unread);
    const refused = refusedAnswers(called, question.now.text, conversation.language);
    return paragraphs(refused, wordAnswer(conversation, question, unread));
  }
  const inVain = choices.length === 0 ? nothingRecalled(conversation) : null;
  if (inVain !== null) return inVain;
  const unfilled = choices.length === 0 ? unfilledIn(question, known) : null;
  if (unfilled) return wordUnfilled(conversation, unfilled, question.reading);
  const [incomplete] = choices;
  return incomplete
    ? wordMissing(conversation, incomplete, question.reading)
    : wordNoTool(conversation, question, { tools: known, catalogue });
}
