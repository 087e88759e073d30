import type { ChatPart, ChatRequest } from '../chat-model.js';
import type { AnswerContext, AnswerReader } from './answer.js';
import { forcesTool, hasImages } from './conversation.js';
import type { Origin } from './echo.js';
import { type Refusal, refusesAnswerFormat, refusesImages } from './refusal.js';
import { refusalOf } from './call-error.js';

/** How one model at one provider differs from most, in any protocol. */
export interface Dialect {
  /** Whether a tool call can be forced. If not, the model chooses. */
  forcedTools: boolean;
  /** Whether the model calls tools. If not, it is offered none. */
  tools: boolean;
  effort: boolean;
  /** Whether the model takes images. If not, it gets their names. */
  images: boolean;
  /** Whether answers can be held to a schema. */
  structured: boolean;
}

export const commonDialect: Dialect = {
  forcedTools: true,
  tools: true,
  effort: true,
  images: true,
  structured: true,
};

export interface AskedModel extends Origin {
  /** The provider's name for the model. */
  name: string;
  /** Whether the model reasons. Null: unknown. */
  reasons: boolean | null;
}

/** One of the two protocols: turns a request into a body, and events into parts. */
export interface Protocol<Wanted extends Dialect> {
  /** The path below the provider's base URL. */
  readonly path: string;
  /** The dialect of most models. */
  readonly common: Wanted;
  readonly Reader: new (context: AnswerContext, emit: (part: ChatPart) => void) => AnswerReader;
  bodyOf(request: ChatRequest, asked: AskedModel, dialect: Wanted): Buffer;
  /** Changes to requests after a refusal. Null: nothing would help. */
  changeAfter(dialect: Wanted, request: ChatRequest, answer: Refusal): Partial<Wanted> | null;
}

/** How one provider's models differ from most in one protocol, as learnt from refusals. */
export class Dialects<Wanted extends Dialect> {
  /** Only models that differ. */
  private readonly known = new Map<string, Wanted>();

  constructor(
    readonly protocol: Protocol<Wanted>,
    /** Called when a model turns out to call no tools. */
    private readonly onToolless: (model: string) => void,
  ) {}

  of(model: string): Wanted {
    return this.known.get(model) ?? this.protocol.common;
  }

  /** The request in the model's dialect. `learn` learns from a refusal. True: repeat the request, which has changed. */
  ask(request: ChatRequest, asked: AskedModel): { body: Buffer; learn(error: unknown): boolean } {
    const dialect = this.of(asked.model);
    return {
      body: this.protocol.bodyOf(request, asked, dialect),
      learn: (error) => this.learn(asked.model, dialect, request, error),
    };
  }

  private learn(model: string, dialect: Wanted, request: ChatRequest, error: unknown): boolean {
    const { common, changeAfter } = this.protocol;
    const answer = refusalOf(error);
    const change = answer && changeAfter(dialect, request, answer);
    if (!change) return false;
    const before = this.of(model);
    this.known.set(model, { ...before, ...change });
    if (before.tools && change.tools === false) this.onToolless(model);
    // Undoing an earlier change would loop.
    return Object.entries(change).some(([name, value]) => value !== common[name as keyof Wanted]);
  }
}

/** What a refusal says about the images or the schema of the request. Null: nothing. */
export function changeOfContent(
  { images, structured }: Dialect,
  request: ChatRequest,
  answer: Refusal,
): Partial<Dialect> | null {
  if (images && hasImages(request) && refusesImages(answer)) return { images: false };
  return structured && request.answerSchema && refusesAnswerFormat(answer) ? { structured: false } : null;
}

/** The tool choice to send. Null: the model chooses. */
export function toldChoice(
  request: ChatRequest,
  dialect: Dialect,
): Exclude<ChatRequest['toolChoice'], 'auto' | undefined> | null {
  const { tools, toolChoice = 'auto' } = request;
  if (!dialect.tools || tools.length === 0 || toolChoice === 'auto') return null;
  return dialect.forcedTools || !forcesTool(request) ? toolChoice : null;
}

/** The JSON of a request. Tools are most of it and rarely change, so their text is cached. */
export function bodyWithTools(body: object, toolTexts: readonly string[]): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    toolTexts.length === 0 ? text : `${text.slice(0, -1)},"tools":[${toolTexts.join(',')}]}`,
  );
}
