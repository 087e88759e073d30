import { standaloneSchema } from '@palabre/json-schema';
import {
  CallNotMade,
  type ChatPart,
  type ChatRequest,
  type Echo,
  ModelError,
  type StopReason,
  type TextSink,
  type TokenUsage,
  type ToolCall,
  type ToolSpec,
} from '@palabre/llm-client';

import { nothingUsed } from '../../conversations/turns/model-calls/model-call.js';
import { type ModelCallPurpose, MAX_COUNTED, type TurnEntry } from '../../conversations/turns/turn-event.js';
import { parseArguments } from '../../skills/skill-arguments.js';
import type { ModelCallRecord, NamedRequest, SkillOffer } from './agent-ports.js';
import { type AgentRun, answerTokensIn, toolsForCall, windowFor } from './agent-run.js';
import { fitPrompt, MARGIN } from './prompt/fit-prompt.js';
import {
  type PromptState,
  type Step,
  withoutImages,
  withOwnEchoes,
  withSafeResults,
} from './prompt/prompt.js';
import { loadedTokensIn, withoutInstructions } from './skills/loaded-packs.js';
import { skillSection } from './skills/skill-section.js';
import { ModelRetries } from './model-retries.js';
import { shownOf } from './shown-parts.js';
import { noteWithSchema } from './structured-answer.js';
import { messagesTokens, toolsTokens } from './prompt/prompt-tokens.js';

export interface ModelCall {
  purpose: ModelCallPurpose;
  steps: readonly Step[];
  /** The skills in the prompt, including those that the model may no longer use. */
  offer: SkillOffer;
  /** Null: only text is useful. Evaluated before every try, because fewer tools fit in a smaller window. */
  tools: ((offer: SkillOffer) => readonly ToolSpec[]) | null;
  toolChoice?: ChatRequest['toolChoice'];
  /** For a call without tools: it keeps those of the previous call where the provider caches prompts. */
  keptTools?: (offer: SkillOffer) => readonly ToolSpec[];
  /** The end of the prompt, for this call only. */
  note?: string;
  /** The prompt has the answer's schema even if the provider enforces it. */
  tellsSchema?: boolean;
  /** Whether the member sees its text. */
  isShown: boolean;
}

/** A skill call, as the model wrote it. */
export interface SaidCall extends ToolCall {
  /** The output limit cut its arguments. */
  isCut?: true;
}

export interface Said {
  text: string;
  /** The reasoning that the member saw. */
  reasoning: string;
  calls: SaidCall[];
  reason: StopReason;
  /** The data that the model needs back with all of this. */
  echo?: Echo | undefined;
}

/** The most calls in one answer. A model in a loop writes thousands. */
export const MAX_CALLS = 100;

/** The size of the next prompt, relative to one that the provider found too long. */
const NARROWER = 0.7;
/** No current model has a smaller window. */
const MIN_WINDOW = 1_000;

/** Preparing a prompt takes the thread about as long as reading this many characters. */
const PROMPT_CHARACTERS = 16 * 1024;

/** Repeats failed calls while that may help. Withdraws the text of a failed try. Rejects with ModelError. */
export async function* callModel(run: AgentRun, call: ModelCall): AsyncGenerator<TurnEntry, Said> {
  const tries = new ModelRetries(run.ports.models.candidates);
  const memoryText = await run.ports.memory.read(run.signal);
  for (;;) {
    const { model } = tries;
    const prepare = (): { sized: ModelCall; request: NamedRequest } => {
      const sized = { ...call, offer: run.ownSkills.sized(call.offer) };
      return { sized, request: requestOf(run, { ...sized, memoryText }, model) };
    };
    const { sized, request } = await run.ports.thread.inTurn(PROMPT_CHARACTERS, prepare, run.signal);
    const received = nothingYet();
    try {
      run.signal.throwIfAborted();
      yield* attempt(run, call, request, received);
      return received.said;
    } catch (error) {
      if (!(error instanceof ModelError) || run.signal.aborted) throw error;
      // The model may have called a forbidden tool.
      if (request.toolChoice === 'none') run.toolless.add(model);
      const next = tries.after(error, run.phase.leftMs);
      if (next === null) throw error;
      if (hasShown(call, received.said)) yield { type: 'text-reset', cause: 'RETRIED' };
      if (next.type === 'narrower') narrow(run, sized, request, error);
      else {
        yield { type: 'status-changed', status: run.phase.status, detail: 'RETRYING' };
        if (next.pauseMs > 0) await run.ports.clock.pause(next.pauseMs, run.signal);
      }
    }
  }
}

/** The memory text is the same for all tries. */
type InformedCall = ModelCall & { memoryText: string };

function requestOf(run: AgentRun, call: InformedCall, model: string): NamedRequest {
  const { sees, keepsToSchema, ...known } = run.ports.models.abilitiesOf(model);
  const windowTokens = Math.min(known.windowTokens, run.windows.get(model) ?? Infinity);
  const maxOutputTokens = answerTokensIn(windowTokens, run.turn.budget.maxOutputTokens);
  const tools = sizedTools(run, call);
  const { answerSchema } = call.isShown ? run.turn : { answerSchema: null };
  const isKept = answerSchema !== null && keepsToSchema;
  const told = isKept && !call.tellsSchema ? null : answerSchema;
  const state = stateOf(
    run,
    { ...call, note: noteWithSchema(call.note, told, run.turn.prompt.language) },
    windowTokens - maxOutputTokens,
  );
  const seen = sees ? state : withoutImages(state);
  const { messages, historyDropped } = fitPrompt(
    { ...seen, steps: withOwnEchoes(state.steps, model) },
    {
      windowTokens,
      maxOutputTokens,
      tools,
      tokens: run.ports.tokens,
    },
  );
  run.historyDropped = Math.max(run.historyDropped, historyDropped);
  // Not all providers accept a schema that contains itself. The answer is checked by the complete one.
  const schema = isKept && { answerSchema: standaloneSchema(answerSchema) };
  return { model, messages, ...toolsOf(run, call, model, tools), ...schema, maxOutputTokens };
}

function toolsOf(
  run: AgentRun,
  { tools, toolChoice, keptTools }: ModelCall,
  model: string,
  sized: readonly ToolSpec[],
): Pick<ChatRequest, 'tools' | 'toolChoice'> {
  if (tools !== null) return { tools: [...sized], ...(toolChoice !== undefined && { toolChoice }) };
  const areKept =
    keptTools !== undefined && run.ports.models.abilitiesOf(model).caches && !run.toolless.has(model);
  return areKept ? { tools: [...sized], toolChoice: 'none' } : { tools: [] };
}

/** Loaded instructions are outside the conversation, so trimming never removes them. */
function stateOf(
  run: AgentRun,
  { offer, steps, memoryText, note = '' }: InformedCall,
  room: number,
): PromptState {
  const { turn, ports, ownSkills } = run;
  const { language } = turn.prompt;
  const { text, loaded } = skillSection(offer, steps, {
    language,
    tokens: ports.tokens,
    loadedTokens: loadedTokensIn(room),
    question: turn.prompt.question,
  });
  ownSkills.showed(loaded);
  const told = withSafeResults(withoutInstructions(steps, language));
  return { ...turn.prompt, skillText: text, memoryText, steps: told, note };
}

/** The prompt of a last answer is fitted as if it had the tools, so that it begins like the previous one. */
function sizedTools(run: AgentRun, { tools, keptTools, offer, steps }: ModelCall): readonly ToolSpec[] {
  const chosen = tools ?? keptTools;
  return chosen ? chosen(offer) : toolsForCall(run, offer, steps);
}

/** Shrinks the window to the provider's limit. Without one, the answer gets its share if it had more. */
function narrow(run: AgentRun, call: ModelCall, sent: NamedRequest, { windowTokens }: ModelError): void {
  const { tokens } = run.ports;
  const { maxOutputTokens } = run.turn.budget;
  const promptTokens = messagesTokens(sent.messages, tokens) + toolsTokens(sizedTools(run, call), tokens);
  const isSaid = windowTokens !== undefined && windowTokens < promptTokens + sent.maxOutputTokens;
  const sameWindow = Math.max(MIN_WINDOW, windowFor(Math.ceil(MARGIN * promptTokens) + 1, maxOutputTokens));
  const hasMore = sent.maxOutputTokens > answerTokensIn(sameWindow, maxOutputTokens);
  const shorter = windowFor(Math.floor(NARROWER * promptTokens), maxOutputTokens);
  run.windows.set(sent.model, isSaid ? windowTokens : hasMore ? sameWindow : shorter);
}

interface Reception {
  said: Said;
  reasoning: string;
  /** Null: the stream did not end. */
  usage: TokenUsage | null;
  /** When the first part came. Null: none came. */
  begunAt: Date | null;
}

function nothingYet(): Reception {
  return {
    said: { text: '', reasoning: '', calls: [], reason: 'unknown' },
    reasoning: '',
    usage: null,
    begunAt: null,
  };
}

/** One try. It is counted and recorded however it ends, unless no call was made. */
async function* attempt(
  run: AgentRun,
  call: ModelCall,
  request: NamedRequest,
  received: Reception,
): AsyncGenerator<TurnEntry, void> {
  const { ports, signal } = run;
  const at = ports.clock.now();
  let failure: unknown = null;
  try {
    const asked = { ...request, purpose: call.purpose };
    const sent = call.isShown ? { ...asked, textSink: sinkOf(run, received) } : asked;
    for await (const part of ports.models.stream(sent, signal)) {
      if (call.isShown) yield* shownOf(part, received.said, run.turn.showsReasoning);
      received.begunAt ??= ports.clock.now();
      take(part, received);
    }
    checkAnswer(call, received);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    recordTry(run, call, { request, received, failure, at });
  }
}

function hasShown({ isShown }: ModelCall, { text, reasoning }: Said): boolean {
  return isShown && (text !== '' || reasoning !== '');
}

/** Takes the text of a started answer. */
function sinkOf({ ports: { text } }: AgentRun, { said }: Reception): TextSink {
  return {
    get isReady() {
      return said.text !== '' && text.isReady;
    },
    take: (piece) => {
      said.text += piece;
      text.take(piece);
    },
  };
}

function take(part: ChatPart, received: Reception): void {
  const { said } = received;
  if (part.type === 'text') said.text += part.text;
  else if (part.type === 'reasoning') received.reasoning += part.text;
  else if (part.type === 'no-reasoning') received.reasoning = '';
  else if (part.type === 'retraction') {
    received.reasoning += said.text;
    said.text = '';
  } else if (part.type === 'tool-call') {
    if (said.calls.length < MAX_CALLS) said.calls.push(part.call);
  } else {
    said.reason = part.reason;
    said.echo = part.echo;
    if (part.reason === 'length') said.calls = withCut(said.calls);
    received.usage = part.usage;
  }
}

/** The last call is the one that the limit cut, unless it is complete. */
function withCut(calls: readonly SaidCall[]): SaidCall[] {
  return calls.map((call, index) => {
    const { arguments: text } = call;
    const isWhole = text.trim() !== '' && parseArguments(text) !== null;
    return isWhole || index < calls.length - 1 ? call : { ...call, isCut: true };
  });
}

/** Throws for an empty or interrupted answer. */
function checkAnswer({ tools, isShown }: ModelCall, { said }: Reception): void {
  if (said.calls.length > 0 && tools !== null) return;
  const isFiltered = said.reason === 'content-filter';
  if (said.text.trim() === '') throw isFiltered ? refusal('withheld') : noAnswer();
  if (isFiltered && isShown) throw refusal('broke off');
}

function refusal(what: string): ModelError {
  return new ModelError(
    'MODEL_REFUSED',
    `The content filter of the model’s provider ${what} the answer.`,
    false,
  );
}

function noAnswer(): ModelError {
  return new ModelError('MODEL_UNAVAILABLE', 'The model gave no answer. Please ask again.', true);
}

interface Tried {
  request: NamedRequest;
  received: Reception;
  failure: unknown;
  at: Date;
}

function recordTry(run: AgentRun, { purpose }: ModelCall, { request, received, failure, at }: Tried): void {
  const { ports, usage } = run;
  if (!received.begunAt && !wasMade(failure, run.signal)) return;
  const used = usedUp(run, request, received);
  usage.modelCalls += 1;
  usage.inputTokens = Math.min(usage.inputTokens + used.inputTokens, MAX_COUNTED);
  usage.outputTokens = Math.min(usage.outputTokens + used.outputTokens, MAX_COUNTED);
  usage.cachedInputTokens = Math.min(usage.cachedInputTokens + used.cachedInputTokens, MAX_COUNTED);
  ports.models.record({
    purpose,
    model: request.model,
    messages: request.messages,
    tools: request.tools,
    usage: used,
    outcome: outcomeOf(failure, received.said, run.signal),
    durationMs: ports.clock.now().getTime() - at.getTime(),
    ...(received.begunAt && { firstPartMs: received.begunAt.getTime() - at.getTime() }),
    at,
    historyDropped: run.historyDropped,
    ...(failure === null || run.signal.aborted ? {} : { failure }),
  });
}

/** Whether a call was made that returned nothing. */
function wasMade(failure: unknown, { aborted }: AbortSignal): boolean {
  return failure === null || failure instanceof ModelError || (aborted && !(failure instanceof CallNotMade));
}

/** The provider's count, or an estimate, because interrupted calls are paid for too. */
function usedUp(run: AgentRun, sent: ChatRequest, received: Reception): ModelCallRecord['usage'] {
  // A provider that refused or was unreachable did no work. One that we left may have started.
  if (!received.begunAt && !run.signal.aborted) return nothingUsed;
  const { tokens } = run.ports;
  const { said, reasoning, usage } = received;
  const reasoningTokens = usage?.reasoningTokens ?? tokens.count(reasoning);
  if (usage) return { ...usage, reasoningTokens };
  const words = said.text + said.calls.map(({ name, arguments: text }) => name + text).join('');
  return {
    inputTokens: messagesTokens(sent.messages, tokens) + toolsTokens(sent.tools, tokens),
    outputTokens: tokens.count(words) + reasoningTokens,
    cachedInputTokens: 0,
    reasoningTokens,
    source: 'ESTIMATED',
  };
}

function outcomeOf(failure: unknown, said: Said, signal: AbortSignal): string {
  if (failure === null) return said.reason;
  if (signal.aborted) return 'ABORTED';
  return failure instanceof ModelError ? failure.code : 'INTERNAL';
}
