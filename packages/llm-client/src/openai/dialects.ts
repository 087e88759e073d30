import type { ChatPart, ChatRequest } from '../chat-model.js';
import type { AnswerContext, AnswerReader } from './answer.js';
import { forcesTool, hasImages } from './conversation.js';
import type { Origin } from './echo.js';
import { type Refusal, refusesAnswerFormat, refusesImages } from './refusal.js';
import { refusalOf } from './call-error.js';

/** What one model at one provider wants otherwise than most, whatever the protocol. */
export interface Dialect {
  /** Whether it can be made to call a tool; else the choice is left to it. */
  forcedTools: boolean;
  /** Whether it calls tools at all; else it is not told of them. */
  tools: boolean;
  /** Whether it can be told how much to think; else that is left to it. */
  effort: boolean;
  /** Whether it takes images; else it is told of them alone. */
  images: boolean;
  /** Whether its answers can be made to fit a schema; else they are free. */
  structured: boolean;
}

export const commonDialect: Dialect = {
  forcedTools: true,
  tools: true,
  effort: true,
  images: true,
  structured: true,
};

/** Who is asked. */
export interface AskedModel extends Origin {
  /** What its provider calls it. */
  name: string;
  /** Whether it reasons; null: unknown. */
  reasons: boolean | null;
}

/** One of the two protocols: a request to a body, events to parts. */
export interface Protocol<Wanted extends Dialect> {
  /** Below the provider's base URL. */
  readonly path: string;
  /** What most models want. */
  readonly common: Wanted;
  readonly Reader: new (context: AnswerContext, emit: (part: ChatPart) => void) => AnswerReader;
  /** The request in JSON. */
  bodyOf(request: ChatRequest, asked: AskedModel, dialect: Wanted): Buffer;
  /** What to change in requests after a refusal; null: nothing would help. */
  changeAfter(dialect: Wanted, request: ChatRequest, answer: Refusal): Partial<Wanted> | null;
}

/** How the models of one provider differ from most, in one protocol, as learnt from refusals. */
export class Dialects<Wanted extends Dialect> {
  /** Only models that want something else than most. */
  private readonly known = new Map<string, Wanted>();

  constructor(
    readonly protocol: Protocol<Wanted>,
    /** Told of a model that turned out to call no tools. */
    private readonly onToolless: (model: string) => void,
  ) {}

  of(model: string): Wanted {
    return this.known.get(model) ?? this.protocol.common;
  }

  /** The request as the model is known to want it. `learn` learns from a refusal; true: repeat it, it will be different. */
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
    // Where an earlier change is undone, repeating the request would loop.
    return Object.entries(change).some(([name, value]) => value !== common[name as keyof Wanted]);
  }
}

/** What a refusal says of the images, or of the schema, that were sent; null: nothing. */
export function changeOfContent(
  { images, structured }: Dialect,
  request: ChatRequest,
  answer: Refusal,
): Partial<Dialect> | null {
  if (images && hasImages(request) && refusesImages(answer)) return { images: false };
  return structured && request.answerSchema && refusesAnswerFormat(answer) ? { structured: false } : null;
}

/** The tool choice of a request, where there is one to be told; null: the model chooses. */
export function toldChoice(
  request: ChatRequest,
  dialect: Dialect,
): Exclude<ChatRequest['toolChoice'], 'auto' | undefined> | null {
  const { tools, toolChoice = 'auto' } = request;
  if (!dialect.tools || tools.length === 0 || toolChoice === 'auto') return null;
  return dialect.forcedTools || !forcesTool(request) ? toolChoice : null;
}

/** A request's JSON. The tools are most of it and the same from call to call, so that their text is made once. */
export function bodyWithTools(body: object, toolTexts: readonly string[]): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    toolTexts.length === 0 ? text : `${text.slice(0, -1)},"tools":[${toolTexts.join(',')}]}`,
  );
}
