import { onlyContentWordsOf } from '@palabre/lexical';
import { functionTool, type ToolCall, type ToolSpec } from '@palabre/llm-client';
import { singleLine } from '@palabre/text';

import { MAX_PREVIEW_CHARACTERS } from '../../../conversations/turns/turn-event.js';
import { fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import {
  documentSkillKeys,
  RETRIEVE_DOCUMENTS,
} from '../../../skills/functions/documents/document-skill-keys.js';
import { shownArguments } from '../../../skills/skill-arguments.js';
import type {
  LoadedPack,
  SkillFacts,
  SkillOffer,
  SkillOutcome,
  SkillPort,
  SkillRequest,
  TokenCounter,
} from '../agent-ports.js';
import type { AgentTurn } from '../agent-turn.js';
import type { PromptState } from '../prompt/prompt.js';
import { failed } from '../skills/skill-outcome.js';
import { foundIn, resultOf, type Source, type Sources, type UnreadDocument } from './sources.js';

const MAX_QUERY = 1_000;
const MAX_NAMES = 500;
/** The limit for all passages of a search. The others get no number: numbers are for passages that the model saw. */
const MAX_TOKENS = 7_500;

/** A turn's skills. Those that read documents are offered only if there are any, and number what they find. */
export class RetrievalSkills implements SkillPort {
  private readonly labels: Wording['prompt'];
  private readonly question: string;
  /** Results of concurrent calls are numbered in order of asking. */
  private numbered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly skills: SkillPort,
    private readonly sources: Sources,
    private readonly turn: Pick<AgentTurn, 'documents' | 'prompt'>,
    private readonly tokens: TokenCounter,
  ) {
    this.labels = wordingIn(turn.prompt.language).prompt;
    this.question = questionQuery(turn.prompt);
  }

  async list(): Promise<SkillOffer> {
    const { tools, ...others } = await this.skills.list();
    if (!this.turn.documents.areThere)
      return { ...others, tools: tools.filter(({ name }) => !documentSkillKeys.has(name)) };
    return {
      ...others,
      tools: tools.map((tool) => (documentSkillKeys.has(tool.name) ? this.told(tool) : tool)),
    };
  }

  call(
    request: SkillRequest,
    signal: AbortSignal,
    progress: (detail: string) => void,
  ): Promise<SkillOutcome> {
    if (request.key !== RETRIEVE_DOCUMENTS) return this.skills.call(request, signal, progress);
    const search = this.skills.call(
      { ...request, arguments: this.searchFor(request.arguments) },
      signal,
      progress,
    );
    const outcome = this.number(search, this.numbered);
    this.numbered = outcome.catch(() => undefined);
    return outcome;
  }

  loadPack(key: string, signal: AbortSignal): Promise<LoadedPack | null> {
    return this.skills.loadPack(key, signal);
  }

  readPackFile(key: string, path: string, signal: AbortSignal): Promise<string | null> {
    return this.skills.readPackFile(key, path, signal);
  }

  factsOf(key: string): SkillFacts {
    return this.skills.factsOf(key);
  }

  faultIn(key: string, argumentsText: string): string | null {
    const sent = key === RETRIEVE_DOCUMENTS ? this.searchFor(argumentsText) : argumentsText;
    return this.skills.faultIn(key, sent);
  }

  newCallId(): string {
    return this.skills.newCallId();
  }

  /** Describes the search in the assistant's language, and for both skills the restriction. */
  private told({ name, description, parameters }: ToolSpec): ToolSpec {
    const { labels } = this;
    const { asked, areAttached } = this.turn.documents;
    const names = singleLine(asked.join(labels.listSeparator), MAX_NAMES);
    const restriction = [
      ...(names === '' ? [] : [` ${fill(labels.onlyInDocuments, { names })}`]),
      // Without file names, which are private: tools are stored longer than conversations.
      ...(areAttached ? [` ${labels.alsoAttached}`] : []),
    ].join('');
    if (name !== RETRIEVE_DOCUMENTS) return { name, description: description + restriction, parameters };
    return functionTool(name, labels.retrieveDocuments + restriction, {
      query: { type: 'string', description: labels.retrieveQuery },
    });
  }

  private searchFor(argumentsText: string): string {
    return JSON.stringify({ query: this.queryIn(argumentsText) });
  }

  private queryIn(argumentsText: string): string {
    const { query } = shownArguments(argumentsText);
    return (typeof query === 'string' && singleLine(query, MAX_QUERY)) || this.question;
  }

  private async number(search: Promise<SkillOutcome>, before: Promise<unknown>): Promise<SkillOutcome> {
    const outcome = await search;
    await before;
    if (outcome.status === 'FAILED') return this.failed(outcome);
    const { sources, missing, unread } = foundIn(outcome.result);
    const numbered = this.sources.number(this.fitting(sources));
    const note = [...this.notesOn(unread), ...this.notesOnFound(numbered, missing)].join(' ');
    const names = [...new Set(numbered.map(({ documentName }) => documentName))];
    const preview = [names.join(this.labels.listSeparator), note].find((text) => text !== '') ?? '';
    return {
      ...outcome,
      result: resultOf(numbered, {
        ...(missing.length > 0 && { missing }),
        ...(unread.length > 0 && { unread }),
        ...(note !== '' && { note }),
      }),
      preview: singleLine(preview, MAX_PREVIEW_CHARACTERS),
      isSized: true,
    };
  }

  /** The best passages that fit, at least one. */
  private fitting(sources: readonly Source[]): readonly Source[] {
    const bytes = sources.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    // In every language a token has at least two bytes on average, so most results are not counted.
    if (bytes <= 2 * MAX_TOKENS) return sources;
    let left = MAX_TOKENS;
    return sources.filter(({ text }, index) => {
      left -= this.tokens.count(text);
      return index === 0 || left >= 0;
    });
  }

  /** Notes what the passages lack, because passages are found for questions that they do not answer. */
  private notesOnFound(found: readonly Source[], missing: readonly string[]): string[] {
    const { nothingFound, notSaid, wordSeparator } = this.labels;
    if (found.length === 0) return [nothingFound];
    const words = singleLine(missing.join(wordSeparator), MAX_NAMES);
    return words === '' ? [] : [fill(notSaid, { words })];
  }

  private notesOn(unread: readonly UnreadDocument[]): string[] {
    const { labels } = this;
    const named = (those: readonly UnreadDocument[]): string =>
      singleLine(those.map(({ document }) => document).join(labels.listSeparator), MAX_NAMES);
    const waiting = unread.filter(({ error }) => error === null);
    const unreadable = unread.filter(({ error }) => error !== null);
    return [
      ...(waiting.length > 0 ? [fill(labels.stillBeingRead, { names: named(waiting) })] : []),
      ...(unreadable.length > 0 ? [fill(labels.couldNotBeRead, { names: named(unreadable) })] : []),
    ];
  }

  private failed({ result, preview }: SkillOutcome): SkillOutcome {
    const { searchFailed } = this.labels;
    const { error } = shownArguments(result);
    const outcome = failed(searchFailed, typeof error === 'string' ? { reason: error } : {});
    return { ...outcome, preview: singleLine(`${searchFailed} ${preview}`, MAX_PREVIEW_CHARACTERS) };
  }
}

/** A search for the question, for a model that does not search. */
export function searchForQuestion(skills: SkillPort, prompt: AgentTurn['prompt']): ToolCall {
  return {
    id: skills.newCallId(),
    name: RETRIEVE_DOCUMENTS,
    arguments: JSON.stringify({ query: questionQuery(prompt) }),
  };
}

/** A shorter question may omit its subject if it follows another: words, or Chinese characters. */
const FEW_WORDS = 5;
const FEW_HAN = 9;
const MAX_OPENED = 150;

const opening =
  /^\W*(?:et|mais|puis|and|but|then|what about|how about|y(?! a )|pero|entonces)\b|^\s*(?:那|再|還有|还有|以及|另外|而)|呢[？?]?\s*$/iu;

/** The default query: the question, with the previous one if it continues that. */
export function questionQuery({ question, history }: Pick<PromptState, 'question' | 'history'>): string {
  const asked = singleLine(question, MAX_QUERY);
  if (!goesOn(asked)) return asked;
  const earlier = history.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  const before =
    earlier.findLast((text) => !goesOn(text)) ??
    earlier.findLast((text) => !isOpened(text) && onlyContentWordsOf(text) !== '') ??
    '';
  if (before === '') return asked;
  return singleLine(`${singleLine(before, MAX_QUERY / 2)} ${asked}`, MAX_QUERY);
}

/** Whether a question is so short, or begins so, that only earlier messages give its subject. */
function goesOn(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  const isShort = han > 0 ? han <= FEW_HAN : words <= FEW_WORDS;
  return isShort || isOpened(text);
}

function isOpened(text: string): boolean {
  return opening.test(text) && text.length <= MAX_OPENED;
}
