import { createHash } from 'node:crypto';
import { type Conversation, conversationOf } from './conversation.js';
import type { AskedCall, CompletionRequest, Reply } from './protocol.js';
import { bestTool, type Choice, chooseTools } from './tool-choice.js';
import { profileOf, type ToolProfile } from './tool-profile.js';
import { wordAnswer, wordMissing, wordNoTool } from './wording.js';

/** The tools the request lets the model call: none, all, or the one it forces. */
function offered(request: CompletionRequest): ToolProfile[] {
  const choice = request.tool_choice;
  if (choice === 'none') return [];
  const tools = request.tools.map((tool) => tool.function);
  return tools.filter(({ name }) => typeof choice === 'string' || choice.name === name).map(profileOf);
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

/** What the user answers to a question asked back completes what they asked before. */
function chooseFor(
  conversation: Conversation,
  profiles: readonly ToolProfile[],
  called: readonly ToolProfile[],
): Choice[] {
  const now = chooseTools(conversation.question, profiles, called);
  const before = conversation.askedBackOn;
  if (before === null || (now.length > 0 && now.every(({ extraction }) => extraction.complete))) return now;
  const together = chooseTools(`${before}\n${conversation.question}`, profiles, called);
  return together.some(({ extraction }) => extraction.complete) ? together : now;
}

function choose(request: CompletionRequest, conversation: Conversation): Choice[] {
  const profiles = offered(request);
  const names = new Set(conversation.results.map((result) => result.name));
  const called = profiles.filter((profile) => names.has(profile.tool.name));
  const fitting = chooseFor(conversation, profiles, called);
  const mustCall = request.tool_choice !== 'auto' && request.tool_choice !== 'none';
  // One forced call was answered: forced again, it could only be repeated.
  const forced =
    mustCall && fitting.length === 0 && called.length === 0
      ? bestTool(conversation.question, profiles)
      : null;
  return forced ? [forced] : fitting;
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
  const choices = choose(request, conversation);
  const calls = callsNow(choices);
  if (calls.length > 0) return { toolCalls: calls.map((choice) => toCall(request, choice)) };
  if (conversation.results.length > 0) return { text: wordAnswer(conversation) };
  const [incomplete] = choices;
  if (incomplete) return { text: wordMissing(conversation, incomplete) };
  return {
    text: wordNoTool(
      conversation,
      request.tools.map((tool) => profileOf(tool.function)),
    ),
  };
}
