import { styleText } from 'node:util';

import type { TurnDone, TurnEvent } from './turn-event.js';

type Style = 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const MAX_ARGUMENT_CHARACTERS = 160;
const MAX_PREVIEW_CHARACTERS = 240;

export interface PrinterOptions {
  readonly colours: boolean;
  /**
   * True where a person looks on: text is shown as it comes, and marked when it is withdrawn. False for a file or a
   * pipe: text waits until the turn ends, so that only the answer is written.
   */
  readonly live: boolean;
  readonly conversationId: string;
}

/** Turns the events of one turn into text for a terminal. */
export class TurnPrinter {
  /** Text since the last reset. */
  private text = '';
  private lineIsOpen = false;

  constructor(private readonly options: PrinterOptions) {}

  print(event: TurnEvent): string {
    switch (event.__typename) {
      case 'TextDelta':
        return this.delta(printable(event.text));
      case 'TextReset':
        return this.reset(event.cause);
      case 'TurnDone':
        return this.rest() + this.done(event);
      default: {
        const [style, line] = describe(event);
        return this.line(style, line);
      }
    }
  }

  /** The text that still waits, and the end of an open line: for when no more events come. */
  rest(): string {
    const waiting = this.options.live || !this.text ? '' : `${this.text}\n`;
    this.text = '';
    return waiting + this.endLine();
  }

  /** The end of an open line, before something that is not the printer's is shown. */
  endLine(): string {
    const end = this.lineIsOpen ? '\n' : '';
    this.lineIsOpen = false;
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

  private reset(cause: string): string {
    const nothingShown = this.text === '' || !this.options.live;
    this.text = '';
    if (nothingShown) return '';
    return this.line(
      'dim',
      cause === 'PREAMBLE' ? '↑ leading up to a skill' : '↑ withdrawn, the step is run again',
    );
  }

  private done({ status, finishReason, usage, error }: TurnDone): string {
    const tokens = `${count(usage.inputTokens)} tokens in${cached(usage.cachedInputTokens)}, ${count(usage.outputTokens)} out`;
    const calls = `${counted(usage.modelCalls, 'model call')} · ${counted(usage.skillCalls, 'skill call')}`;
    const cost = usage.costUsd === null ? '' : ` · $${usage.costUsd.toFixed(4)}`;
    const { conversationId } = this.options;
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
      this.line('dim', `go on: npm run -s ask -- --conversation ${conversationId} "…"`),
    ].join('');
  }

  private line(style: Style, text: string): string {
    const begins = this.endLine();
    const shown = printable(text);
    return `${begins}${this.options.colours ? styleText(style, shown, { validateStream: false }) : shown}\n`;
  }
}

type Described = Exclude<TurnEvent, { __typename: 'TextDelta' | 'TextReset' | 'TurnDone' }>;

const describe = (event: Described): [Style, string] => {
  switch (event.__typename) {
    case 'StatusChanged':
      return ['dim', `· ${inWords(event.status)}${after(': ', event.detail)}`];
    case 'PlanDecided':
      return [
        'cyan',
        `▸ plan: ${inWords(event.action)}${after(' ', event.nextSkill)}${after(', ', event.reason)}`,
      ];
    case 'SkillStarted':
      return ['cyan', `⚙ ${event.skill} … ${inBrief(event.arguments)}`.trimEnd()];
    case 'SkillFinished':
      return skillFinished(event.skill, event.callStatus, event.durationMs, event.resultPreview);
    case 'SkillLoaded':
      return ['cyan', `▤ loaded the skill ${event.skill}`];
    case 'SourcesFound':
      return ['dim', ['sources:', ...event.sources.map(sourceLine)].join('\n')];
    case 'ApprovalRequested':
      return ['yellow', approvalLine(event.approval)];
    case 'MovedToBackground':
      return ['yellow', `⇢ in the background: ${event.message}${after(' ', event.reason)}`];
  }
};

const skillFinished = (
  skill: string,
  status: string,
  durationMs: number,
  preview: string,
): [Style, string] => {
  const time = durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
  if (status === 'SUCCEEDED') return ['green', `✓ ${skill} ${time}`];
  return [
    'red',
    `✗ ${skill} ${inWords(status)} ${time}${after(': ', shortened(preview, MAX_PREVIEW_CHARACTERS))}`,
  ];
};

type SourceFound = Extract<TurnEvent, { __typename: 'SourcesFound' }>['sources'][number];

const sourceLine = ({ marker, documentName, page, quote }: SourceFound): string =>
  `  [${marker}] ${documentName}${page === null ? '' : `, page ${page}`}: ${shortened(quote, MAX_ARGUMENT_CHARACTERS)}`;

type ApprovalAsked = Extract<TurnEvent, { __typename: 'ApprovalRequested' }>['approval'];

const approvalLine = ({ id, skill, arguments: given, reason, expiresAt }: ApprovalAsked): string =>
  `? ${skill} ${inBrief(given)} needs an approval until ${expiresAt}${after(': ', reason)} (approval ${id})`;

const inBrief = (given: unknown): string => {
  if (typeof given !== 'object' || given === null)
    return shortened(JSON.stringify(given), MAX_ARGUMENT_CHARACTERS);
  const pairs = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return shortened(pairs.join(', '), MAX_ARGUMENT_CHARACTERS);
};

const shortened = (text: string, maxCharacters: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
};

const after = (separator: string, text: string | null): string => (text ? separator + text : '');

/** SOME_NAME → some name */
const inWords = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

const count = (amount: number): string => amount.toLocaleString('en-US');
const counted = (amount: number, noun: string): string =>
  `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
const cached = (tokens: number): string => (tokens > 0 ? ` (${count(tokens)} cached)` : '');

/** Without control characters: a model's text must not be able to move the cursor or set the window's title. */
const printable = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, '');
