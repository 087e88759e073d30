import {
  type ChatPart,
  ModelError,
  type StopReason,
  type ToolCall,
  type ToolSpec,
} from '../../llm/chat-model.js';
import type { TurnEntry, Usage } from '../../turns/turn-event.js';
import type { AgentPorts } from './agent-ports.js';
import type { AgentResult, AgentTurn } from './agent-turn.js';
import { buildPrompt, type Step } from './prompt.js';
import { callSkills, resumeSteps } from './skill-calls.js';

interface Said {
  text: string;
  calls: ToolCall[];
  reason: StopReason;
}

/**
 * The REACTIVE strategy: stream, carry out the skills that were asked for, again, until none is asked for. What was
 * said before a skill call led up to it and is withdrawn. When the steps are used up, the model answers without skills.
 * A turn whose earlier owner broke off goes on after the last step that it took.
 */
export async function* reactive(
  ports: AgentPorts,
  turn: AgentTurn,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TurnEntry, AgentResult> {
  const steps = yield* resumeSteps(ports, turn.made, turn.prompt.language, signal);
  for (;;) {
    const mayCall = steps.length < turn.budget.maxSteps;
    const tools = mayCall ? await ports.skills.list() : [];
    const said = yield* speak(ports, turn, steps, tools, usage, signal);
    // A model that was given no tools and asks for one all the same has had its say.
    if (said.calls.length === 0 || !mayCall) return { finishReason: finishReasonOf(said, mayCall) };
    if (said.text !== '') yield { type: 'text-reset', cause: 'PREAMBLE' };
    const asked = { step: steps.length, text: said.text, calls: said.calls };
    steps.push({ text: said.text, calls: yield* callSkills(ports, asked, usage, signal) });
  }
}

const finishReasonOf = (said: Said, mayCall: boolean): AgentResult['finishReason'] => {
  if (said.text.trim() === '') throw noAnswer(said.reason);
  if (!mayCall) return 'MAX_STEPS';
  return said.reason === 'length' ? 'MAX_TOKENS' : 'ANSWERED';
};

/** A turn that ends with nothing said has failed, whatever the model may think of it. */
const noAnswer = (reason: StopReason): ModelError =>
  reason === 'content-filter'
    ? new ModelError('MODEL_REFUSED', 'The model’s provider withheld the answer.', false)
    : new ModelError('MODEL_UNAVAILABLE', 'The model gave no answer. Please ask again.', true);

/** One model call: its text as it comes, and what it came to. */
async function* speak(
  ports: AgentPorts,
  turn: AgentTurn,
  steps: readonly Step[],
  tools: ToolSpec[],
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TurnEntry, Said> {
  const skills = tools.map(({ name, description }) => ({ key: name, description }));
  const messages = buildPrompt({ ...turn.prompt, skills, steps });
  const { maxOutputTokens } = turn.budget;
  const said: Said = { text: '', calls: [], reason: 'unknown' };
  usage.modelCalls += 1;
  for await (const part of ports.model.stream(
    { model: turn.model, messages, tools, maxOutputTokens },
    signal,
  )) {
    take(part, said, usage);
    if (part.type === 'text' && part.text !== '') yield { type: 'text-delta', text: part.text };
  }
  return said;
}

const take = (part: ChatPart, said: Said, usage: Usage): void => {
  if (part.type === 'text') said.text += part.text;
  else if (part.type === 'tool-call') said.calls.push(part.call);
  else if (part.type === 'finish') {
    said.reason = part.reason;
    usage.inputTokens += part.usage.inputTokens;
    usage.outputTokens += part.usage.outputTokens;
    usage.cachedInputTokens += part.usage.cachedInputTokens;
  }
};
