import {
  type AnswerInputInput,
  inputOf,
  type Palabre,
  PalabreError,
  type TurnEvent,
  type TurnInput,
} from '@palabre/client';

import { type Terminal, wordsOf } from './terminal.js';

/** A property of a flat JSON Schema, as far as a terminal needs it. */
interface Field {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { const?: unknown }[];
  readonly anyOf?: readonly { const?: unknown }[];
  readonly items?: Field;
}

interface FlatSchema {
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

/** Has the person at the terminal answer what a turn asks, one question after the other. */
export class PersonAsked {
  private readonly open = new Map<string, AbortController>();
  private before: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Pick<Palabre, 'answerInput'>,
    private readonly terminal: Terminal,
  ) {}

  take(event: TurnEvent): void {
    if (event.__typename === 'InputResolved') this.open.get(event.inputId)?.abort();
    if (event.__typename !== 'InputRequested') return;
    const input = inputOf(event);
    const over = new AbortController();
    this.open.set(input.id, over);
    this.before = this.before.then(() => this.answer(input, over.signal));
  }

  /** Nothing is to be answered any more. */
  leave(): void {
    for (const over of this.open.values()) over.abort();
  }

  private async answer(input: TurnInput, signal: AbortSignal): Promise<void> {
    const { terminal } = this;
    while (terminal.ask && !signal.aborted) {
      const given = await answerTo(input, async (question) => (await terminal.ask?.(question, signal)) ?? '');
      if (!given || signal.aborted) return;
      try {
        return await this.client.answerInput(given, { signal });
      } catch (error) {
        if (signal.aborted) return;
        terminal.error(`${wordsOf(error)}\n`);
        // What does not fit is asked for again.
        if (!(error instanceof PalabreError) || error.code !== 'BAD_USER_INPUT') return;
      }
    }
  }
}

/**
 * Asks a person for what a turn waits for, one field after the other. An empty line declines where the field is
 * required, and leaves it out where it is not. Null: this kind is not answered here.
 */
async function answerTo(
  input: TurnInput,
  ask: (question: string) => Promise<string>,
): Promise<AnswerInputInput | null> {
  if (input.kind === 'QUESTION') return { question: { id: input.id, ...(await valueFor(input, ask)) } };
  if (input.kind === 'MCP_INPUT') return { mcp: { id: input.id, ...(await valueFor(input, ask)) } };
  return null;
}

async function valueFor(
  { responseSchema }: { responseSchema: unknown },
  ask: (question: string) => Promise<string>,
): Promise<{ value: unknown } | { declined: true }> {
  const { properties, required = [] } = (responseSchema ?? {}) as FlatSchema;
  if (!properties) return confirmed((await ask('Press y for yes: ')).trim());
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    const line = (await ask(promptOf(name, field, required.includes(name)))).trim();
    if (line) value[name] = read(line, field);
    else if (required.includes(name)) return { declined: true };
  }
  return { value };
}

function confirmed(line: string): { value: null } | { declined: true } {
  return line.toLowerCase() === 'y' ? { value: null } : { declined: true };
}

function promptOf(name: string, field: Field, isRequired: boolean): string {
  const choices = choicesOf(field).map(String).join(' | ');
  const several = field.type === 'array' ? 'several, with commas between' : '';
  const about = [field.description, choices, several, isRequired ? '' : 'may be left out'];
  const remarks = about.filter((remark) => remark).join('; ');
  return `${field.title ?? name}${remarks ? ` (${remarks})` : ''}: `;
}

function choicesOf({ enum: plain, oneOf, anyOf, items }: Field): readonly unknown[] {
  return plain ?? (oneOf ?? anyOf)?.map((choice) => choice.const) ?? (items ? choicesOf(items) : []);
}

/** What does not fit is for the server to say. */
function read(line: string, field: Field): unknown {
  if (field.type === 'array') return line.split(',').map((part) => read(part.trim(), field.items ?? {}));
  const choice = choicesOf(field).find((choice) => String(choice) === line);
  if (choice !== undefined) return choice;
  const isText = field.type === undefined || field.type === 'string';
  return isText ? line : valueIn(line);
}

function valueIn(line: string): unknown {
  try {
    return (JSON.parse(line) as unknown) ?? line;
  } catch {
    return line;
  }
}
