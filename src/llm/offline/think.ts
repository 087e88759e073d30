import { createHash } from 'node:crypto';
import { amountsLeftOut } from './arguments/amounts-left-out.js';
import { type Conversation, conversationOf } from './conversation.js';
import type { AskedCall, CompletionRequest, Reply } from './protocol.js';
import { questionOf } from './follow-up.js';
import { isLookup, lookupCalls } from './lookup/lookup.js';
import { isControl, isPlanning, moveCall, synthesisCall } from './lookup/plan.js';
import type { LookupCall } from './lookup/web.js';
import { subjectOf } from './lookup/query.js';
import { skillsInPrompt } from './prompt-skills.js';
import { isSmallTalk } from './small-talk.js';
import { taskCall } from './tasks/task.js';
import { Question } from './message.js';
import { bestTool, type Choice, chooseTools, extractionFor, isComplete } from './tool-choice.js';
import { profileOf, type ToolProfile } from './tool-profile.js';
import { wordAnswer } from './wording/answer.js';
import { isOfDocuments, passagesAnswer } from './wording/passages-prose.js';
import { wordMissing, wordUnfilled } from './wording/question-back.js';
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
}

function deliberate(request: CompletionRequest, conversation: Conversation): Deliberation {
  const given = request.tools.map((tool) => tool.function).filter(({ name }) => !isControl(name));
  const known = (given.length > 0 ? given : skillsInPrompt(conversation.prompt)).map(profileOf);
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
  return { question, known, called, choices: forced ? [forced] : choices };
}

const isNoLookup = ({ tool }: ToolProfile): boolean => !isLookup(tool.name);

/** What to call now: what writes goes alone, so that what follows works with what it wrote. */
function callsNow(choices: readonly Choice[]): LookupCall[] {
  const complete = choices.filter(({ extraction }) => extraction.complete);
  const writes = complete.filter(({ profile }) => profile.kind === 'WRITE');
  return (writes.length > 0 ? writes : complete).map(({ profile, extraction }) => ({
    name: profile.tool.name,
    arguments: extraction.arguments,
  }));
}

/** The offline model's whole mind: the same request always gets the same reply. */
export function think(request: CompletionRequest): Reply {
  const conversation = conversationOf(request);
  const task = taskCall(request, conversation);
  if (task) return { toolCalls: [toCall(request, task)] };
  const deliberation = deliberate(request, conversation);
  const { question, choices } = deliberation;
  const calls = [...callsNow(choices), ...lookupCalls(request, conversation, question, choices.length > 0)];
  if (isPlanning(request)) {
    const move = moveCall(request, conversation, question);
    const plan = move ? [move] : calls.length > 0 ? calls : [synthesisCall(conversation, choices.length > 0)];
    return { toolCalls: plan.map((call) => toCall(request, call)) };
  }
  if (calls.length > 0) return { toolCalls: calls.map((call) => toCall(request, call)) };
  return { text: wordsFor(conversation, deliberation) };
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

function wordsFor(conversation: Conversation, { question, known, called, choices }: Deliberation): string {
  const isTalk = isSmallTalk(question.now.reading) || choices.length > 0;
  // Documents are searched before anything else, also where a greeting or a question back is the answer.
  if (conversation.results.length > 0 && !(isTalk && isOnlySearched(conversation, question))) {
    const unread = isToldOnly(known)
      ? amountsLeftOut(question.reading, conversation.results)
      : called.flatMap((profile) => extractionFor(profile, question).unread);
    return wordAnswer(conversation, question, unread);
  }
  const unfilled = choices.length === 0 ? unfilledIn(question, known) : null;
  if (unfilled) return wordUnfilled(conversation, unfilled, question.reading);
  const [incomplete] = choices;
  return incomplete ? wordMissing(conversation, incomplete) : wordNoTool(conversation, question.now, known);
}
