import { stripVTControlCharacters } from 'node:util';

import { noUsage } from './fixtures/scripted-server.js';
import type { TurnDone, TurnEvent } from './turn-event.js';
import { type PrinterOptions, TurnPrinter } from './turn-printer.js';

const base = { turnId: 't', sequence: 1, at: '2026-01-02T03:04:05.000Z' };
const text = (value: string): TurnEvent => ({ __typename: 'TextDelta', ...base, text: value });
const reset = (cause: string): TurnEvent => ({ __typename: 'TextReset', ...base, cause });
const skillStarted: TurnEvent = {
  __typename: 'SkillStarted',
  ...base,
  callId: 'c',
  skill: 'calculate_carbon_footprint',
  arguments: { country: 'SN', electricityKwh: 12000 },
};
const skillFinished = (callStatus: string, durationMs: number, resultPreview = ''): TurnEvent => ({
  __typename: 'SkillFinished',
  ...base,
  callId: 'c',
  skill: 'calculate_carbon_footprint',
  callStatus,
  resultPreview,
  durationMs,
});
const done = (change: Partial<TurnDone> = {}): TurnEvent => ({
  __typename: 'TurnDone',
  ...base,
  status: 'COMPLETED',
  finishReason: 'ANSWERED',
  messageId: 'm',
  usage: noUsage,
  error: null,
  ...change,
});

const printed = (events: TurnEvent[], options: Partial<PrinterOptions> = {}): string => {
  const printer = new TurnPrinter({ colours: false, live: true, conversationId: 'c-1', ...options });
  return events.map((event) => printer.print(event)).join('');
};

describe('TurnPrinter', () => {
  it('shows a turn from its first skill to its cost', () => {
    const usage = { ...noUsage, inputTokens: 1234, cachedInputTokens: 1000, outputTokens: 56, modelCalls: 2 };
    const events = [
      { __typename: 'StatusChanged', ...base, status: 'RUNNING', detail: null } as const,
      skillStarted,
      skillFinished('SUCCEEDED', 41),
      text('Votre bilan\nest de '),
      text('7,2 t.'),
      done({ usage: { ...usage, skillCalls: 1, costUsd: 0.00123 } }),
    ];
    expect(printed(events)).toBe(
      `· running
⚙ calculate_carbon_footprint … country: "SN", electricityKwh: 12000
✓ calculate_carbon_footprint 41 ms

Votre bilan
est de 7,2 t.

1,234 tokens in (1,000 cached), 56 out · 2 model calls · 1 skill call · $0.0012
conversation c-1
go on: npm run -s ask -- --conversation c-1 "…"
`,
    );
  });

  it('shows text as it comes where a person looks on, and not before the end in a pipe', () => {
    const live = new TurnPrinter({ colours: false, live: true, conversationId: 'c-1' });
    expect([live.print(text('Bon')), live.print(text('jour'))]).toEqual(['\nBon', 'jour']);
    const piped = new TurnPrinter({ colours: false, live: false, conversationId: 'c-1' });
    expect([piped.print(text('Bon')), piped.print(text('jour'))]).toEqual(['', '']);
    expect(piped.print(done())).toMatch(/^Bonjour\n\n0 tokens in/);
  });

  it('marks withdrawn text where a person looks on', () => {
    expect(printed([text('Le bilan'), reset('RETRIED'), text('Le bilan est bon.')])).toBe(
      '\nLe bilan\n↑ withdrawn, the step is run again\n\nLe bilan est bon.',
    );
    expect(printed([text('Je calcule.'), reset('PREAMBLE'), skillFinished('SUCCEEDED', 1500)])).toBe(
      '\nJe calcule.\n↑ leading up to a skill\n✓ calculate_carbon_footprint 1.5 s\n',
    );
  });

  it('writes the answer alone into a pipe', () => {
    const events = [
      text('Je calcule.'),
      reset('PREAMBLE'),
      text('Le bi'),
      reset('RETRIED'),
      text('Bilan'),
      done(),
    ];
    expect(printed(events, { live: false })).toMatch(/^Bilan\n\n0 tokens/);
  });

  it('says nothing of a reset when nothing was shown', () => {
    expect(printed([reset('RETRIED'), reset('PREAMBLE')])).toBe('');
  });

  it('ends an open line once, for somebody else to write', () => {
    const printer = new TurnPrinter({ colours: false, live: true, conversationId: 'c-1' });
    printer.print(text('Votre bil'));
    expect([printer.endLine(), printer.endLine(), printer.print(text('an'))]).toEqual(['\n', '', 'an']);
  });

  it('gives what still waits when no more events come', () => {
    const printer = new TurnPrinter({ colours: false, live: false, conversationId: 'c-1' });
    printer.print(text('Votre bil'));
    expect([printer.rest(), printer.rest()]).toEqual(['Votre bil\n', '']);
  });

  it('ends a line of text before a line of its own', () => {
    expect(printed([text('Je regarde'), skillStarted])).toContain('Je regarde\n⚙ calculate');
  });

  it('tells a failure with its code, and whether to ask again', () => {
    const error = { code: 'MODEL_UNAVAILABLE', message: 'The model does not answer.', retryable: true };
    const shown = printed([done({ status: 'FAILED', finishReason: 'ERROR', error })]);
    expect(shown).toContain(
      '✗ MODEL_UNAVAILABLE: The model does not answer. It can be asked again.\n· failed\n',
    );
  });

  it('says why an answer ended early', () => {
    expect(printed([done({ finishReason: 'MAX_STEPS' })])).toContain('· the answer ended early: max steps\n');
    expect(printed([done({ status: 'CANCELLED', finishReason: 'CANCELLED' })])).toContain('\n· cancelled\n');
  });

  it('shows the other events in a line each', () => {
    const approval = {
      id: 'a-1',
      turnId: 't',
      skill: 'send_email',
      arguments: { to: 'a@example.org' },
      reason: null,
      status: 'PENDING',
      expiresAt: '2026-01-02T04:00:00.000Z',
    };
    const source = {
      marker: 1,
      documentId: 'd',
      documentName: 'Rapport.pdf',
      page: 3,
      quote: 'Le\n sol',
      score: 1,
    };
    const events: TurnEvent[] = [
      {
        __typename: 'PlanDecided',
        ...base,
        action: 'CALL_SKILL',
        nextSkill: 'read_webpage',
        reason: 'first',
      },
      { __typename: 'SkillLoaded', ...base, skill: 'audit' },
      { __typename: 'SourcesFound', ...base, sources: [source] },
      { __typename: 'ApprovalRequested', ...base, approval },
      { __typename: 'MovedToBackground', ...base, reason: null, message: 'It takes longer.' },
      { __typename: 'StatusChanged', ...base, status: 'QUEUED', detail: 'RETRYING' },
      skillFinished('FAILED', 12, 'No factor\nfor XX.'),
    ];
    expect(printed(events).split('\n')).toEqual([
      '▸ plan: call skill read_webpage, first',
      '▤ loaded the skill audit',
      'sources:',
      '  [1] Rapport.pdf, page 3: Le sol',
      '? send_email to: "a@example.org" needs an approval until 2026-01-02T04:00:00.000Z (approval a-1)',
      '⇢ in the background: It takes longer.',
      '· queued: RETRYING',
      '✗ calculate_carbon_footprint failed 12 ms: No factor for XX.',
      '',
    ]);
  });

  it('cuts long arguments without breaking a character', () => {
    const events: TurnEvent[] = [{ ...skillStarted, arguments: { note: '🌳'.repeat(500) } } as TurnEvent];
    const shown = printed(events).trimEnd();
    expect(shown.endsWith('🌳…')).toBe(true);
    expect([...shown].length).toBeLessThan(200);
  });

  it('lets no control character through to the terminal', () => {
    const hostile = '\u001b]0;owned\u0007\u009b2Jbonjour\r\n\tfin';
    const events = [text(hostile), { ...skillStarted, skill: hostile } as TurnEvent];
    expect(printed(events)).not.toMatch(/(?![\n\t])\p{Cc}/u);
    expect(printed(events)).toContain('bonjour\n\tfin');
  });

  it('uses colours when it may, around the same words', () => {
    const events = [skillStarted, skillFinished('FAILED', 1, 'no'), text('Bon'), reset('RETRIED'), done()];
    const coloured = printed(events, { colours: true });
    expect(coloured).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured)).toBe(printed(events));
  });
});
