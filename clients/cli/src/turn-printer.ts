import { styleText } from 'node:util';

import { inputOf, type TurnEvent, type TurnEventOf, type TurnInput } from '@palabre/client';

import { counted } from './terminal.js';

export interface PrinterOptions extends TurnPlace {
  readonly colours: boolean;
  /**
   * True for a person: text is shown as it comes, and marked when it is withdrawn. False for a file or a pipe: only
   * the final answer is written.
   */
  readonly live: boolean;
}

/** Turns the events of one turn into text for a terminal. */
export class TurnPrinter {
  /** Text since the last reset. */
  private text = '';
  /** Whether the last that was shown is of what the model thinks. */
  private isReasoning = false;
  private lineIsOpen = false;

  constructor(private readonly options: PrinterOptions) {}

  print(event: TurnEvent): string {
    switch (event.__typename) {
      case 'TextDelta':
        return this.endReasoning() + this.delta(printable(event.text));
      case 'ReasoningDelta':
        return this.reasoning(printable(event.text));
      case 'TextReset':
        return this.reset(event.cause);
      case 'TurnDone':
        return this.rest() + this.done(event);
      default: {
        const lines = linesOf(event, this.options);
        return lines ? this.line(...lines) : '';
      }
    }
  }

  /** A file that was made in the turn. */
  file({ name, url }: { name: string; url: string }): string {
    return this.line('green', `${name}: ${url}`);
  }

  /** The text that still waits and the end of an open line. Call it after the last event. */
  rest(): string {
    const waiting = this.options.live || !this.text ? '' : `${this.text}\n`;
    this.text = '';
    return waiting + this.endLine();
  }

  /** Ends an open line, before something else is shown. */
  endLine(): string {
    const end = this.lineIsOpen ? '\n' : '';
    this.lineIsOpen = false;
    this.isReasoning = false;
    return end;
  }

  private delta(text: string): string {
    const begins = this.text === '' ? '\n' : '';
    this.text += text;
    if (!this.options.live || text === '') return '';
    const out = (this.lineIsOpen ? '' : begins) + text;
    this.lineIsOpen = !text.endsWith('\n');
    return out;
  }

  private reasoning(text: string): string {
    if (!this.options.live || text === '') return '';
    const begins = this.isReasoning ? '' : this.line('dim', '· thinking');
    this.isReasoning = true;
    this.lineIsOpen = !text.endsWith('\n');
    return begins + this.styled('dim', text);
  }

  private endReasoning(): string {
    return this.isReasoning ? this.endLine() : '';
  }

  private reset(cause: string): string {
    const nothingShown = (this.text === '' && !this.isReasoning) || !this.options.live;
    this.text = '';
    if (nothingShown) return '';
    return this.line(
      'dim',
      cause === 'PREAMBLE' ? '↑ leading up to a skill' : '↑ withdrawn, the step is run again',
    );
  }

  private done({ status, finishReason, usage, error }: TurnEventOf<'TurnDone'>): string {
    const tokens = `${count(usage.inputTokens)} tokens in${cached(usage.cachedInputTokens)}, ${count(usage.outputTokens)} out`;
    const calls = `${counted(usage.modelCalls, 'model call')} · ${counted(usage.skillCalls, 'skill call')}`;
    const cost = usage.costUsd === null ? '' : ` · $${usage.costUsd.toFixed(4)}`;
    const { conversationId, typed } = this.options;
    return [
      '\n',
      error
        ? this.line(
            'red',
            `✗ ${error.code}: ${error.message}${error.retryable ? ' It can be asked again.' : ''}`,
          )
        : '',
      status === 'COMPLETED' ? '' : this.line('yellow', `· ${inWords(status)}`),
      ['ANSWERED', 'CANCELLED', 'ERROR'].includes(finishReason)
        ? ''
        : this.line('yellow', `· the answer ended early: ${inWords(finishReason)}`),
      this.line('dim', `${tokens} · ${calls}${cost}`),
      this.line('dim', `conversation ${conversationId}`),
      this.line('dim', `go on: ${typed} --conversation ${conversationId} "…"`),
    ].join('');
  }

  private line(style: Style, text: string): string {
    const begins = this.endLine();
    return `${begins}${this.styled(style, printable(text))}\n`;
  }

  private styled(style: Style, text: string): string {
    return this.options.colours ? styleText(style, text, { validateStream: false }) : text;
  }
}

function count(amount: number): string {
  return amount.toLocaleString('en-US');
}
function cached(tokens: number): string {
  return tokens > 0 ? ` (${count(tokens)} cached)` : '';
}

/** Without control characters: a model's text must not be able to move the cursor or set the window's title. */
function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '');
}

export type Style = 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Events that are shown on lines of their own: neither text nor the end. */
type LineEvent = Exclude<
  TurnEvent,
  { __typename: 'TextDelta' | 'ReasoningDelta' | 'TextReset' | 'TurnDone' }
>;

/** Where the turn runs. */
interface TurnPlace {
  readonly serverUrl: string;
  readonly conversationId: string;
  /** How people type the command. */
  readonly typed: string;
  /** A person is watching. */
  readonly live: boolean;
}

const MAX_CHARACTERS = 240;
const MAX_ARGUMENT_CHARACTERS = 160;
/** Longer than for other calls: whoever approves a call has to see its arguments. */
const MAX_ASKED_CHARACTERS = 2_000;

/** Decisions of a plan, for people. Those of a newer server are shown as they are. */
const actions: Record<string, string> = {
  CALL_SKILL: 'call',
  SYNTHESIZE: 'write the answer',
  CONTINUE_IN_BACKGROUND: 'go on in the background',
};

/** Details of a status, for people. */
const details: Record<string, string> = {
  RETRYING: 'the model is tried again',
  HANDED_OVER: 'another server process takes over',
  APPROVED: 'it was allowed',
  ANSWERED: 'it was answered',
  DENIED: 'it was not allowed',
  DECLINED: 'it was declined',
  EXPIRED: 'nobody answered in time, which counts as no',
};

/** An event in words, and how they are shown; null: it is not shown, such as one of a newer server. */
function linesOf(event: LineEvent, where: TurnPlace): [Style, string] | null {
  switch (event.__typename) {
    case 'StatusChanged':
      return [
        'dim',
        `· ${inWords(event.status)}${after(': ', event.detail && (details[event.detail] ?? event.detail))}`,
      ];
    case 'PlanDecided':
      return ['cyan', planLine(event)];
    case 'SkillStarted':
      return ['cyan', `⚙ ${event.skill} … ${summaryOf(event.arguments, MAX_ARGUMENT_CHARACTERS)}`.trimEnd()];
    case 'SkillFinished':
      return skillFinished(event);
    case 'SkillLoaded':
      return ['cyan', `▤ loaded the skill ${event.skill}`];
    case 'SourcesFound':
      return ['dim', sourceLines(event.sources)];
    case 'ApprovalRequested':
      return ['yellow', approvalLines(event.approval, where)];
    case 'InputRequested':
      return ['yellow', inputLine(inputOf(event))];
    case 'MovedToBackground':
      return ['yellow', backgroundLines(event.message, where)];
    default:
      return null;
  }
}

function planLine({ action, nextSkill, reason }: TurnEventOf<'PlanDecided'>): string {
  return `▸ plan: ${actions[action] ?? inWords(action)}${after(' ', nextSkill)}${after(' – ', reason && shortened(reason, MAX_CHARACTERS))}`;
}

function skillFinished({
  skill,
  callStatus,
  durationMs,
  resultPreview,
}: TurnEventOf<'SkillFinished'>): [Style, string] {
  const time = durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
  if (callStatus === 'SUCCEEDED') return ['green', `✓ ${skill} ${time}`];
  const why = after(': ', shortened(resultPreview, MAX_CHARACTERS));
  return ['red', `✗ ${skill} ${inWords(callStatus)} ${time}${why}`];
}

function sourceLines(sources: TurnEventOf<'SourcesFound'>['sources']): string {
  if (sources.length === 0) return '▤ no sources';
  const lines = sources.map(({ marker, documentName, page, quote }) => {
    const place = page === null ? '' : `, page ${page}`;
    return `  [${marker}] ${documentName}${place}: ${shortened(quote, MAX_ARGUMENT_CHARACTERS)}`;
  });
  return ['▤ sources:', ...lines].join('\n');
}

function approvalLines(
  { id, skill, arguments: given, reason, expiresAt }: TurnEventOf<'ApprovalRequested'>['approval'],
  { serverUrl }: TurnPlace,
): string {
  return [
    `? may ${skill} be carried out? ${summaryOf(given, MAX_ASKED_CHARACTERS)}`.trimEnd(),
    ...(reason ? [`  why: ${shortened(reason, MAX_CHARACTERS)}`] : []),
    `  Whoever may allow it answers until ${expiresAt}, in the console, or by the API at ${serverUrl}/graphql:`,
    `  mutation { resolveApproval(input: { approvalId: ${JSON.stringify(id)}, approve: true }) { status } }`,
  ].join('\n');
}

function inputLine(input: TurnInput): string {
  const until = `(until ${input.expiresAt})`;
  if (input.kind === 'QUESTION') return `? ${shortened(input.prompt, MAX_ASKED_CHARACTERS)} ${until}`;
  if (input.kind === 'MCP_INPUT')
    return `? ${input.server} asks: ${shortened(input.message, MAX_ASKED_CHARACTERS)}${after(' ', input.url)} ${until}`;
  return `? ${inWords(input.kind)} ${until}`;
}

function backgroundLines(message: string, { live, conversationId }: TurnPlace): string {
  return [
    `⇢ ${message}`,
    ...(live
      ? [
          '  Ctrl-C still cancels it. Close the terminal, and it goes on:',
          `  the answer will be in the conversation ${conversationId}.`,
        ]
      : []),
  ].join('\n');
}

function summaryOf(given: unknown, maxCharacters: number): string {
  if (typeof given !== 'object' || given === null) return shortened(JSON.stringify(given), maxCharacters);
  const pairs = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return shortened(pairs.join(', '), maxCharacters);
}

/** In one line. */
function shortened(text: string, maxCharacters: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= maxCharacters) return characters.join('');
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

function after(separator: string, text: string | null): string {
  return text ? separator + text : '';
}

/** SOME_NAME → some name */
function inWords(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ');
}
