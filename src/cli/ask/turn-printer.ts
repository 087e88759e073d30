import { styleText } from 'node:util';

import { inWords, linesOf, type Style, type Whereabouts } from './event-lines.js';
import type { TurnDone, TurnEvent } from '../client/turn-event.js';

export interface PrinterOptions extends Whereabouts {
  readonly colours: boolean;
  /**
   * True where a person looks on: text is shown as it comes, and marked when it is withdrawn. False for a file or a
   * pipe: text waits until the turn ends, so that only the answer is written.
   */
  readonly live: boolean;
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
        const [style, line] = linesOf(event, this.options);
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

const count = (amount: number): string => amount.toLocaleString('en-US');
const counted = (amount: number, noun: string): string =>
  `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
const cached = (tokens: number): string => (tokens > 0 ? ` (${count(tokens)} cached)` : '');

/** Without control characters: a model's text must not be able to move the cursor or set the window's title. */
const printable = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, '');
