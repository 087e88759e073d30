import { createHash } from 'node:crypto';
import { type Conversation, conversationOf } from './conversation.js';
import type { AskedCall, CompletionRequest, Reply } from './protocol.js';
import { questionOf } from './follow-up.js';
import { Question } from './message.js';
import { bestTool, type Choice, chooseTools, extractionFor, isComplete } from './tool-choice.js';
import { profileOf, type ToolProfile } from './tool-profile.js';
import { wordAnswer } from './wording/answer.js';
import { wordMissing } from './wording/question-back.js';
import { wordNoTool } from './wording/talk.js';

/** The tools the request lets the model call: none, all, or the one it forces. */
function offered(request: CompletionRequest, all: readonly ToolProfile[]): readonly ToolProfile[] {
  const choice = request.tool_choice;
  if (choice === 'none') return [];
  return all.filter(({ tool }) => typeof choice === 'string' || choice.name === tool.name);
}

/** The same call in the same state of a conversation has the same id; any other has another. */
function toCall(request: CompletionRequest, { profile, extraction }: Choice): AskedCall {
  const name = profile.tool.name;
  const text = JSON.stringify(extraction.arguments);
  const digest = createHash('sha256')
    .update(JSON.stringify(request.messages))
    .update(`\n${name}\n${text}`)
    .digest('hex');
  return { id: `call_${digest.slice(0, 24)}`, name, arguments: text };
}

/** What a request asks of the tools. */
interface Deliberation {
  question: Question;
  /** All that the request knows, callable or not. */
  known: readonly ToolProfile[];
  /** Those called since the question. */
  called: readonly ToolProfile[];
  choices: readonly Choice[];
}

function deliberate(request: CompletionRequest, conversation: Conversation): Deliberation {
  const known = request.tools.map((tool) => profileOf(tool.function));
  const profiles = offered(request, known);
  const names = new Set(conversation.results.map((result) => result.name));
  const called = known.filter((profile) => names.has(profile.tool.name));
  const choose = (one: Question) => chooseTools(one, profiles, []);
  const question = questionOf(conversation.earlier, conversation.question, choose);
  const together = chooseTools(question, profiles, called);
  const useless = question.before !== null && called.length === 0 && !isComplete(together);
  const choices = useless ? chooseTools(new Question(question.now), profiles, called) : together;
  const mustCall = request.tool_choice !== 'auto' && request.tool_choice !== 'none';
  // One forced call was answered: forced again, it could only be repeated.
  const forced =
    mustCall && choices.length === 0 && called.length === 0 ? bestTool(question, profiles) : null;
  return { question, known, called, choices: forced ? [forced] : choices };
}

/** What to call now: what writes goes alone, so that what follows works with what it wrote. */
function callsNow(choices: readonly Choice[]): Choice[] {
  const complete = choices.filter(({ extraction }) => extraction.complete);
  const writes = complete.filter(({ profile }) => profile.kind === 'WRITE');
  return writes.length > 0 ? writes : complete;
}

/** The offline model's whole mind: the same request always gets the same reply. */
export function think(request: CompletionRequest): Reply {
  const conversation = conversationOf(request);
  const { question, known, called, choices } = deliberate(request, conversation);
  const calls = callsNow(choices);
  if (calls.length > 0) return { toolCalls: calls.map((choice) => toCall(request, choice)) };
  if (conversation.results.length > 0) {
    const unread = called.flatMap((profile) => extractionFor(profile, question).unread);
    return { text: wordAnswer(conversation, question.now.reading, unread) };
  }
  const [incomplete] = choices;
  return {
    text: incomplete ? wordMissing(conversation, incomplete) : wordNoTool(conversation, question.now, known),
  };
}
