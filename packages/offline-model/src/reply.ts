import { fill } from './fill.js';
import { elementsIn, openingOf, withoutElements } from './prose.js';
import type { CompletionRequest, Message, Reply, Tool, ToolCall } from './protocol.js';
import { type Passage, type Quote, quotesFor } from './quoting.js';
import { said, type Said } from './marked-message.js';
import { type Gap, ToolReader } from './reading.js';
import { type Called, calledAs } from './results.js';
import { inEnglish, informativeIn, joiners, languageOf } from './vocabulary.js';
import { Voice } from './wording.js';

const MAX_EXCERPT_CHARACTERS = 600;
const MAX_NAMED = 5;
const FINDS_TOOLS = /skill|tool/;
/** The score of two words of a tool's name. */
const SURE = 4;
const MAX_LISTED = 10;

/** Produces the reply. The same request always gets the same one. */
export function replyTo(request: CompletionRequest): Reply {
  const { tool_choice: choice } = request;
  const material = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const forced = typeof choice === 'object' && toolsOf(request).find(({ name }) => name === choice.name);
  if (forced)
    return { calls: [{ name: forced.name, arguments: fill(forced.parameters, material) as object }] };
  return new Turn(request).reply();
}

function toolsOf({ tools, tool_choice: choice }: CompletionRequest): Tool[] {
  return choice === 'none' ? [] : tools.map((tool) => tool.function);
}

/** A question, and the tool calls so far. */
class Turn {
  private readonly tools: readonly Tool[];
  private readonly readers: readonly ToolReader[];
  private readonly question: Said;
  private readonly called: readonly Called[];
  private readonly voice: Voice;
  private readonly hasEarlierFigures: boolean;
  /** The message begins like the continuation of an earlier one. */
  private readonly goesOn: boolean;
  private readonly told: readonly Passage[];

  constructor(private readonly request: CompletionRequest) {
    const { messages } = request;
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const text = withoutElements(messages[asked]?.content ?? '');
    const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
    const prompt = system.map(({ content }) => content).join('\n');
    const language = languageOf(text);
    this.tools = toolsOf(request);
    this.readers = this.tools.map((tool) => new ToolReader(tool));
    this.question = said(text, language);
    this.called = callsIn(messages.slice(asked + 1));
    this.voice = new Voice(language ?? languageOf(prompt) ?? 'en');
    const earlier = messages.slice(0, asked).filter(({ role }) => role === 'user');
    this.hasEarlierFigures = earlier.some(({ content }) => /\d/.test(content));
    this.goesOn = earlier.length > 0 && joiners.lengthAt(this.question.tokens, 0) > 0;
    this.told = elementsIn(`${prompt}\n${messages[asked]?.content ?? ''}`).map((element) => ({
      text: element,
      marker: null,
      source: '',
    }));
  }

  reply(): Reply {
    if (this.goesOn) return this.speak(`${this.voice.say('notEnough')} ${this.voice.say('connect')}`);
    const done = this.called.filter((each) => !this.isSearch(each)).map((each) => this.wordsOf(each));
    const { call, gap } = done.length === 0 ? this.bestCall() : { call: null, gap: null };
    if (call) return { calls: [call] };
    const found = this.called.flatMap(({ query, passages }) => quotesFor(query ?? '', passages));
    const told = found.length > 0 ? found : quotesFor(this.question.text, this.told);
    const words = done.join('\n\n') || this.wordsOfQuotes(told);
    if (words !== '')
      return this.speak(`${words}\n\n${this.voice.say('notice')} ${this.voice.say('connect')}`);
    const searches = this.searches();
    if (searches.length > 0) return { calls: searches };
    return this.speak(`${this.honestly(gap)} ${this.voice.say('connect')}`);
  }

  /** If a tool must be called, the text goes through the tool that writes answers. */
  private speak(text: string): Reply {
    if (this.request.tool_choice !== 'required') return { text };
    const closing = this.tools.find(({ name }) => /answer|respond|final|finish/.test(name)) ?? this.tools[0];
    if (!closing) return { text };
    return {
      calls: [{ name: closing.name, arguments: fill(closing.parameters, this.voice.say('plan')) as object }],
    };
  }

  /** Whether the call was a fallback search for the question. */
  private isSearch({ tool, query }: Called): boolean {
    return query !== null && query === this.queryFor(tool);
  }

  /** Descriptions of tools are mostly in English. */
  private queryFor(tool: string): string {
    const { text, tokens } = this.question;
    return (FINDS_TOOLS.test(tool) && inEnglish(tokens)) || text;
  }

  private wordsOf({ tool, query, summary, error, passages, contents, facts, missing }: Called): string {
    if (error !== null) return `${this.voice.say('failed', tool)} ${error}`;
    const quotes = query === null ? [] : quotesFor(query, passages);
    if (quotes.length > 0) return this.wordsOfQuotes(quotes);
    if (query !== null && summary === null) return this.notFound(missing);
    const told = contents.filter((content) => !summary?.includes(content)).slice(0, MAX_LISTED);
    if (summary === null && told.length === 0) {
      return [
        this.voice.say('unspoken', tool),
        ...facts.slice(0, MAX_LISTED).map((fact) => `- ${fact}`),
      ].join('\n');
    }
    const listed =
      query === null ? told.map((content) => `- ${openingOf(content, MAX_EXCERPT_CHARACTERS)}`) : [];
    return [summary ?? '', ...listed].join('\n').trim();
  }

  private wordsOfQuotes(quotes: readonly Quote[]): string {
    if (quotes.length === 0) return '';
    const lines = quotes.map(({ sentence, passage: { marker, source } }) => {
      const cited = `${this.voice.quoted(sentence)}${marker === null ? '' : ` [${marker}]`}`;
      return `- ${cited}${source && ` (${source})`}`;
    });
    return [this.voice.say('found'), ...lines].join('\n');
  }

  /** The call of the only tool that the message names, if it gives all required arguments. */
  private bestCall(): { call: ToolCall | null; gap: Gap | null } {
    const read = this.readers.flatMap((reader) => {
      const isDone = this.called.some(({ tool }) => tool === reader.tool.name);
      const found = isDone ? null : reader.read(this.question);
      return found ? [{ tool: reader.tool, found }] : [];
    });
    read.sort((one, other) => other.found.score - one.found.score);
    const gap = read.flatMap(({ found }) => ('unread' in found ? found : []))[0] ?? null;
    const [first, second] = read.filter(({ found }) => !('unread' in found));
    if (!first || 'unread' in first.found || first.found.score === second?.found.score)
      return { call: null, gap };
    if (this.asksForMore(first.tool)) return { call: null, gap: null };
    // Figures of several messages are not combined.
    if (first.found.hasNumbers && this.hasEarlierFigures) return { call: null, gap: null };
    return { call: { name: first.tool.name, arguments: first.found.arguments }, gap };
  }

  /** Whether another part of the message names another tool, which would go unanswered. */
  private asksForMore(tool: Tool): boolean {
    const { text, tokens, language } = this.question;
    const parts = tokens
      .filter((token, at) => joiners.lengthAt(tokens, at) > 0 || /^[.!?;。！？；]$/.test(token.text))
      .map(({ end }) => said(text.slice(end), language));
    const others = this.readers.filter((reader) => reader.tool !== tool);
    return parts.some((part) => others.some((other) => 'arguments' in (other.read(part) ?? {})));
  }

  /**
   * Searches for the whole question with every tool that takes only words. Tools that send it outside are not called
   * unasked.
   */
  private searches(): ToolCall[] {
    const { tokens } = this.question;
    if (!informativeIn(tokens).some(({ kind }) => kind === 'word')) return [];
    const searches = this.tools.filter(
      ({ name, description, parameters: { properties = {}, required = [] } }) => {
        const isSearch = properties['query']?.type === 'string' && required.every((key) => key === 'query');
        const isPrivate = !/\bweb\b/i.test(`${name.replaceAll('_', ' ')} ${description.split('.', 1)[0]}`);
        return isSearch && isPrivate && this.called.every(({ tool }) => tool !== name);
      },
    );
    // Foreign text is read last, because reading it may restrict later calls.
    const first = searches.filter(({ name }) => FINDS_TOOLS.test(name));
    return (first.length > 0 ? first : searches).map(({ name }) => ({
      name,
      arguments: { query: this.queryFor(name) },
    }));
  }

  private honestly(gap: Gap | null): string {
    if (gap && gap.unread.length > 0 && (gap.hasNumbers || gap.score >= SURE)) {
      const words = [...new Set(gap.unread)].slice(0, MAX_NAMED).map((word) => this.voice.quoted(word));
      return this.voice.say('notUnderstood', words.join(', '));
    }
    const searched = this.called.filter((each) => this.isSearch(each));
    if (searched.length === 0) return this.voice.say('notEnough');
    const [first, ...others] = searched.map(({ missing }) => missing);
    return this.notFound(first?.filter((word) => others.every((words) => words.includes(word))) ?? []);
  }

  /** Nothing answers the question. Its missing words suggest that no source is about it. */
  private notFound(missing: readonly string[]): string {
    const words = missing.map((word) => this.voice.quoted(word)).join(', ');
    return [this.voice.say('notFound'), ...(words === '' ? [] : [this.voice.say('missing', words)])].join(
      ' ',
    );
  }
}

function callsIn(messages: readonly Message[]): Called[] {
  const asked = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.tool_calls ?? []).map((call) => [call.id, call.function] as const)
        : [],
    ),
  );
  return messages.flatMap((message) => {
    const call = message.role === 'tool' ? asked.get(message.tool_call_id) : undefined;
    return call ? [calledAs(call.name, call.arguments, message.content)] : [];
  });
}
