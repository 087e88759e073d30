import type { ChatFile, ChatMessage, Echo, ToolCall } from '@palabre/llm-client';
import { quotation, singleLine, withoutEndOf, withoutHidden } from '@palabre/text';
import { objectInJson } from '@palabre/json';

import { type Wording, wordingIn } from '../../../common/wording/wording.js';
import { renderTemplate } from '../../../companies/assistants/prompt-template.js';
import { historyLimit } from '../../../memory/context/memory-context.js';
import { type CompanyFacts, companyText, dayText, languageText, localeOf } from './company-facts.js';

/** One model call of the turn and the skill calls it asked for. */
export interface Step {
  text: string;
  calls: StepCall[];
  /** The model's echo, unchanged. */
  echo?: Echo | undefined;
}

export interface StepCall extends ToolCall {
  /** The result for the model. Null: the call was interrupted before its result was recorded. */
  result: string | null;
}

/** A file of a user's message. Its name is always in the text. Its content is sent if there is room. */
export interface AttachedFile {
  words: string;
  file: ChatFile | null;
}

/** A message of the conversation before the question. */
interface SaidMessage {
  role: 'user' | 'assistant';
  text: string;
  files?: readonly AttachedFile[];
  /** The assistant's text in place of a missing answer. */
  unanswered?: string;
}

/** The content of a prompt. The same state gives the same prompt, byte by byte. */
export interface PromptState {
  /** The assistant's base prompt, checked when it was published. */
  template: string;
  /** The assistant's language, BCP 47. */
  language: string;
  /** Fixed for the length of a turn, or midnight would change the prompt under it. */
  /** What a clock shows: see Calendar. */
  today: Date;
  member: { name: string };
  company: CompanyFacts;
  /** Also for a last answer without skills, so that its prompt begins like the previous one. */
  skillText: string;
  /** Relevant memories, in marks that separate them from instructions. Empty: none. */
  memoryText: string;
  /** A summary of the messages before the history. Null: there are none. */
  summary: string | null;
  /** Earlier messages without the question, oldest first. */
  history: readonly SaidMessage[];
  question: string;
  /** Text of the member's app, with the weight of the question. Default: none. */
  instructions?: string;
  files?: readonly AttachedFile[];
  /** The turn's steps, oldest first, with results from `withSafeResults`. */
  steps: readonly Step[];
  /** A note for this call only, such as the remaining budget. It is at the end, because it changes with each call. */
  note?: string;
}

const maxName = 120;
const maxSummary = 8000;

/** Stable parts come first. `marked` adds the marks around a result, so that callers can cache it. */
export function buildPrompt(state: PromptState, marked = markedResult): ChatMessage[] {
  const labels = wordingIn(state.language).prompt;
  const messages: ChatMessage[] = [
    { role: 'system', content: systemText(state, labels) },
    ...spokenMessages(state),
    ...stepMessages(state.steps, JSON.stringify({ error: labels.unknownOutcome }), marked),
  ];
  return withNote(messages, state.note?.trim() ?? '');
}

/** The part of the history that a prompt may have: no empty messages, and a user's message first. */
export function recentHistory(history: PromptState['history']): PromptState['history'] {
  const recent = history.filter(({ text }) => text.trim() !== '').slice(-historyLimit);
  const begin = recent.findIndex(({ role }) => role === 'user');
  return begin < 0 ? [] : recent.slice(begin);
}

/** Escapes results so that none ends the marks around it. Called before fitting, which builds the prompt many times. */
export function withSafeResults(steps: readonly Step[]): Step[] {
  return steps.map((step) => ({
    ...step,
    calls: step.calls.map((call) => {
      if (call.result === null) return call;
      return { ...call, result: withoutEndOf(RESULT, withoutHidden(call.result)) };
    }),
  }));
}

/** The prompt for a model without vision: images are only named. */
export function withoutImages(state: PromptState): PromptState {
  const told = <Said extends { files?: readonly AttachedFile[] }>(said: Said): Said =>
    said.files
      ? {
          ...said,
          files: said.files.map((each) => (each.file?.type === 'image' ? { ...each, file: null } : each)),
        }
      : said;
  return { ...told(state), history: state.history.map(told) };
}

/** Whether the prompt has foreign text from the beginning. */
export function hasAttached({ files, history }: Pick<PromptState, 'files' | 'history'>): boolean {
  return [files, ...history.map((said) => said.files)].some((some) =>
    some?.some(({ file }) => file !== null),
  );
}

/** The steps without other models' echoes. */
export function withOwnEchoes(steps: readonly Step[], model: string): Step[] {
  return steps.map((step) => (step.echo && step.echo.model !== model ? { ...step, echo: undefined } : step));
}

const RESULT = 'result';

export function markedResult(skill: string, result: string): string {
  return `<${RESULT} skill="${nameText(skill)}">\n${result}\n</${RESULT}>`;
}

function systemText(state: PromptState, labels: Wording['prompt']): string {
  const locale = localeOf(state.language);
  const summary = state.summary?.trim() ?? '';
  return renderTemplate(state.template, {
    language: languageText(state.language, locale),
    date: dayText(state.today, locale),
    name: singleLine(state.member.name, maxName) || labels.unnamedMember,
    profile: companyText(state.company, labels, locale),
    skill: state.skillText,
    initial_context_title: summary === '' ? labels.newConversationTitle : labels.summaryTitle,
    // For a new conversation the title says everything.
    initial_context_description: summary === '' ? '' : quotation(summary, maxSummary),
  });
}

/** The messages with alternating roles, as providers want. Consecutive ones of a role, as in imports, are joined. */
function spokenMessages({ history, question, instructions, files, memoryText }: PromptState): ChatMessage[] {
  const spoken: { role: 'user' | 'assistant'; content: string; files?: ChatFile[] }[] = [];
  const say = (role: SaidMessage['role'], text: string, attached: readonly AttachedFile[] = []): void => {
    const last = spoken.at(-1);
    const content = [...attached.map(({ words }) => words), text].join('\n');
    if (last?.role === role) last.content += `\n\n${content}`;
    else spoken.push({ role, content });
    const sent = attached.flatMap(({ file }) => file ?? []);
    const said = spoken.at(-1);
    if (said && sent.length > 0) said.files = [...(said.files ?? []), ...sent];
  };
  for (const { role, text, files: attached, unanswered } of recentHistory(history)) {
    say(role, text, attached);
    if (unanswered !== undefined) say('assistant', unanswered);
  }
  // After the history, because it changes with every question, which would end the provider's cached prefix.
  const added = instructions === undefined ? '' : markedInstructions(instructions);
  say('user', [memoryText, added, question].filter((text) => text !== '').join('\n\n'), files);
  return spoken;
}

/** Each call is followed by its result or `unknownOutcome`: providers refuse a call without one. */
function stepMessages(
  steps: readonly Step[],
  unknownOutcome: string,
  marked: typeof markedResult,
): ChatMessage[] {
  const usedIds = new Set<string>();
  return steps.flatMap(({ text, calls, echo }): ChatMessage[] => {
    if (calls.length === 0) return text.trim() === '' ? [] : [{ role: 'assistant', content: text }];
    const sent = calls.map((call) => ({ ...call, id: uniqueId(call.id, usedIds) }));
    const toolCalls = sent.map((call) => ({
      id: call.id,
      name: nameText(call.name),
      arguments: objectInJson(call.arguments),
    }));
    const results = sent.map(({ id, name, result }): ChatMessage => ({
      role: 'tool',
      toolCallId: id,
      content: marked(name, result ?? unknownOutcome),
    }));
    return [{ role: 'assistant', content: text, toolCalls, ...(echo && { echo }) }, ...results];
  });
}

const INSTRUCTIONS = 'instructions';

/** An app is no more trusted than its member, so its text is marked and part of the member's message. */
function markedInstructions(text: string): string {
  const safe = withoutEndOf(INSTRUCTIONS, withoutHidden(text));
  return `<${INSTRUCTIONS} from="the user's app">\n${safe}\n</${INSTRUCTIONS}>`;
}

export function markedNote(note: string): string {
  return `<note>\n${note}\n</note>`;
}

/** Some providers refuse a separate message after a result. Marks separate the note from the user's text. */
function withNote(messages: ChatMessage[], note: string): ChatMessage[] {
  const last = messages.at(-1);
  if (note === '' || !last) return messages;
  const marked = markedNote(note);
  if (last.role === 'assistant') return [...messages, { role: 'user', content: marked }];
  const content = last.content === '' ? marked : `${last.content}\n\n${marked}`;
  return [...messages.slice(0, -1), { ...last, content }];
}

/** Some models number calls anew in each answer, or omit the id. */
function uniqueId(wanted: string, used: Set<string>): string {
  const stem = wanted || 'call';
  let id = stem;
  for (let count = 2; used.has(id); count += 1) id = `${stem}_${count}`;
  used.add(id);
  return id;
}

// An invented name or invalid JSON was answered with an error. Sent back unchanged, it would break each later call.
function nameText(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}
