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
  /** What the model that took it wants back with it, to the letter. */
  echo?: Echo | undefined;
}

export interface StepCall extends ToolCall {
  /** What the model is to read; null: the call was broken off before its result was recorded. */
  result: string | null;
}

/** What goes with what a user says: always named in words, and sent where there is room for it. */
export interface AttachedFile {
  words: string;
  file: ChatFile | null;
}

/** A message of the conversation before the question. */
interface SaidMessage {
  role: 'user' | 'assistant';
  text: string;
  files?: readonly AttachedFile[];
  /** What the assistant says in place of the answer that a question of the user's has none of. */
  unanswered?: string;
}

/** All that a prompt is made of. The same state gives the same prompt, to the byte. */
export interface PromptState {
  /** The assistant's base prompt, checked when it was published. */
  template: string;
  /** The assistant's, BCP 47. */
  language: string;
  /** Fixed for the length of a turn, or midnight would change the prompt under it. */
  /** What a clock shows: see Calendar. */
  today: Date;
  member: { name: string };
  company: CompanyFacts;
  /** Also for a last answer that may call none, so that its prompt begins as the one before. */
  skillText: string;
  /** What is remembered that bears on the question, in marks that tell it from instructions; empty: nothing. */
  memoryText: string;
  /** Of what is older than the history; null when nothing is. */
  summary: string | null;
  /** Earlier messages, oldest first, without the question. */
  history: readonly SaidMessage[];
  question: string;
  /** What the member's app adds to the question, with no more weight than that; left out: nothing. */
  instructions?: string;
  /** What the question is asked with. */
  files?: readonly AttachedFile[];
  /** This turn's, oldest first, their results as `withSafeResults` makes them. */
  steps: readonly Step[];
  /** What holds for this one call, such as what is left of the budget. At the very end: the next call's is another. */
  note?: string;
}

const maxName = 120;
const maxSummary = 8000;

/** What is stable first. `marked` puts the marks around a result: whoever builds many prompts may remember them. */
export function buildPrompt(state: PromptState, marked = markedResult): ChatMessage[] {
  const labels = wordingIn(state.language).prompt;
  const messages: ChatMessage[] = [
    { role: 'system', content: systemText(state, labels) },
    ...spokenMessages(state),
    ...stepMessages(state.steps, JSON.stringify({ error: labels.unknownOutcome }), marked),
  ];
  return withNote(messages, state.note?.trim() ?? '');
}

/** The history as far as a prompt may hold it: nothing empty, and a user's words first. */
export function recentHistory(history: PromptState['history']): PromptState['history'] {
  const recent = history.filter(({ text }) => text.trim() !== '').slice(-historyLimit);
  const begin = recent.findIndex(({ role }) => role === 'user');
  return begin < 0 ? [] : recent.slice(begin);
}

/** Nothing in them ends the marks around them. Before the prompt is fitted, which builds it many times. */
export function withSafeResults(steps: readonly Step[]): Step[] {
  return steps.map((step) => ({
    ...step,
    calls: step.calls.map((call) => {
      if (call.result === null) return call;
      return { ...call, result: withoutEndOf(RESULT, withoutHidden(call.result)) };
    }),
  }));
}

/** The prompt for a model that sees no images: it is told of them. */
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

/** What others wrote stands in the prompt from the beginning. */
export function hasAttached({ files, history }: Pick<PromptState, 'files' | 'history'>): boolean {
  return [files, ...history.map((said) => said.files)].some((some) =>
    some?.some(({ file }) => file !== null),
  );
}

/** The steps with nothing of other models that `model` could make nothing of. */
export function withOwnEchoes(steps: readonly Step[], model: string): Step[] {
  return steps.map((step) => (step.echo && step.echo.model !== model ? { ...step, echo: undefined } : step));
}

const RESULT = 'result';

/** A result as the model is shown it: between marks, which tell it from what anybody says. */
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
    // Of a new conversation its title says all there is.
    initial_context_description: summary === '' ? '' : quotation(summary, maxSummary),
  });
}

/** The two sides in turns, as providers want them: what one says after itself, as in imported history, is joined. */
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
  // Behind the history: it is another text with every question, and a provider's prefix cache would end before it.
  const added = instructions === undefined ? '' : markedInstructions(instructions);
  say('user', [memoryText, added, question].filter((text) => text !== '').join('\n\n'), files);
  return spoken;
}

/** Every call is followed by its result, or `unknownOutcome`: providers refuse one that stands alone. */
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

/** A member's app is no more trusted than the member: between marks, in what the member says. */
function markedInstructions(text: string): string {
  const safe = withoutEndOf(INSTRUCTIONS, withoutHidden(text));
  return `<${INSTRUCTIONS} from="the user's app">\n${safe}\n</${INSTRUCTIONS}>`;
}

/** What holds for one call, as the model is shown it. */
export function markedNote(note: string): string {
  return `<note>\n${note}\n</note>`;
}

/** Some providers refuse one of its own behind a result. Marks tell it from what the user says. */
function withNote(messages: ChatMessage[], note: string): ChatMessage[] {
  const last = messages.at(-1);
  if (note === '' || !last) return messages;
  const marked = markedNote(note);
  if (last.role === 'assistant') return [...messages, { role: 'user', content: marked }];
  const content = last.content === '' ? marked : `${last.content}\n\n${marked}`;
  return [...messages.slice(0, -1), { ...last, content }];
}

/** Some models number their calls anew in every answer, or leave the id out. */
function uniqueId(wanted: string, used: Set<string>): string {
  const stem = wanted || 'call';
  let id = stem;
  for (let count = 2; used.has(id); count += 1) id = `${stem}_${count}`;
  used.add(id);
  return id;
}

// A made-up name or broken JSON was answered with an error; sent back as it was, it would fail every later call.
function nameText(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}
