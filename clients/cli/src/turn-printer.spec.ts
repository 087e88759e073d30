import { stripVTControlCharacters } from 'node:util';

import { noUsage } from '@palabre/client/scripted-server.double.js';
import type { TurnEvent, TurnEventOf } from '@palabre/client';
import { type PrinterOptions, TurnPrinter } from './turn-printer.js';

const base = { turnId: 't', sequence: 1, at: '2026-01-02T03:04:05.000Z' };
function text(value: string): TurnEvent {
  return { __typename: 'TextDelta', ...base, text: value };
}
function reset(cause: TurnEventOf<'TextReset'>['cause']): TurnEvent {
  return { __typename: 'TextReset', ...base, cause };
}
const skillStarted: TurnEvent = {
  __typename: 'SkillStarted',
  ...base,
  callId: 'c',
  skill: 'calculate_carbon_footprint',
  arguments: { country: 'SN', electricityKwh: 12000 },
};
function skillFinished(
  callStatus: TurnEventOf<'SkillFinished'>['callStatus'],
  durationMs: number,
  resultPreview = '',
): TurnEvent {
  return {
    __typename: 'SkillFinished',
    ...base,
    callId: 'c',
    skill: 'calculate_carbon_footprint',
    callStatus,
    resultPreview,
    durationMs,
  };
}
function status(name: TurnEventOf<'StatusChanged'>['status'], detail: string | null = null): TurnEvent {
  return {
    __typename: 'StatusChanged',
    ...base,
    status: name,
    detail,
  };
}
function plan(change: { action: string; nextSkill?: string; reason?: string }): TurnEvent {
  // A newer server has other actions.
  return { __typename: 'PlanDecided', ...base, nextSkill: null, reason: null, ...change } as TurnEvent;
}
const source = {
  marker: 1,
  documentId: 'd',
  documentName: 'Rapport.pdf',
  page: null,
  quote: 'Le\n sol',
  score: 1,
};
function done(change: Partial<TurnEventOf<'TurnDone'>> = {}): TurnEvent {
  return {
    __typename: 'TurnDone',
    ...base,
    status: 'COMPLETED',
    finishReason: 'ANSWERED',
    messageId: 'm',
    usage: noUsage,
    error: null,
    ...change,
  };
}

const plain = {
  colours: false,
  live: true,
  serverUrl: 'http://localhost:3000',
  conversationId: 'c-1',
  typed: 'palabre ask',
};

function printed(events: TurnEvent[], options: Partial<PrinterOptions> = {}): string {
  const printer = new TurnPrinter({ ...plain, ...options });
  return events.map((event) => printer.print(event)).join('');
}

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
go on: palabre ask --conversation c-1 "…"
`,
    );
  });

  it('shows text as it comes where a person looks on, and not before the end in a pipe', () => {
    const live = new TurnPrinter({ ...plain, live: true });
    expect([live.print(text('Bon')), live.print(text('jour'))]).toEqual(['\nBon', 'jour']);
    const piped = new TurnPrinter({ ...plain, live: false });
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
    const printer = new TurnPrinter({ ...plain, live: true });
    printer.print(text('Votre bil'));
    expect([printer.endLine(), printer.endLine(), printer.print(text('an'))]).toEqual(['\n', '', 'an']);
  });

  it('gives what still waits when no more events come', () => {
    const printer = new TurnPrinter({ ...plain, live: false });
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

  it.each<[what: string, event: TurnEvent, lines: string[]]>([
    [
      'a plan that calls a skill',
      plan({ action: 'CALL_SKILL', nextSkill: 'read_webpage', reason: 'The page\nsays it.' }),
      ['▸ plan: call read_webpage – The page says it.'],
    ],
    ['a plan that ends', plan({ action: 'SYNTHESIZE' }), ['▸ plan: write the answer']],
    [
      'a plan that takes long',
      plan({ action: 'CONTINUE_IN_BACKGROUND', reason: 'It takes long.' }),
      ['▸ plan: go on in the background – It takes long.'],
    ],
    ['a plan of a newer server', plan({ action: 'ASK_BACK' }), ['▸ plan: ask back']],
    ['a loaded skill', { __typename: 'SkillLoaded', ...base, skill: 'audit' }, ['▤ loaded the skill audit']],
    [
      'sources',
      {
        __typename: 'SourcesFound',
        ...base,
        sources: [
          { ...source, page: 3 },
          { ...source, marker: 2 },
        ],
      },
      ['▤ sources:', '  [1] Rapport.pdf, page 3: Le sol', '  [2] Rapport.pdf: Le sol'],
    ],
    ['no sources', { __typename: 'SourcesFound', ...base, sources: [] }, ['▤ no sources']],
    ['a wait', status('WAITING_FOR_APPROVAL'), ['· waiting for approval']],
    ['another try', status('RUNNING', 'RETRYING'), ['· running: the model is tried again']],
    ['an allowance', status('QUEUED', 'APPROVED'), ['· queued: it was allowed']],
    ['an answer', status('QUEUED', 'ANSWERED'), ['· queued: it was answered']],
    ['a refusal to answer', status('QUEUED', 'DECLINED'), ['· queued: it was declined']],
    ['what a newer server says', status('QUEUED', 'Moon phase'), ['· queued: Moon phase']],
    [
      'a failed skill',
      skillFinished('FAILED', 12, 'No factor\nfor XX.'),
      ['✗ calculate_carbon_footprint failed 12 ms: No factor for XX.'],
    ],
    [
      'a skill that was not allowed',
      skillFinished('DENIED', 0),
      ['✗ calculate_carbon_footprint denied 0 ms'],
    ],
  ])('shows %s', (_what, event, lines) => {
    expect(printed([event]).split('\n')).toEqual([...lines, '']);
  });

  it('shows all that is asked of an admin, and how to answer', () => {
    const approval = {
      id: 'a-1',
      turnId: 't',
      skill: 'send_email',
      arguments: { to: 'a@example.org', body: 'x'.repeat(1_000) },
      reason: 'Je l’envoie.\n',
      status: 'PENDING' as const,
      expiresAt: '2026-01-02T04:00:00.000Z',
    };
    const shown = (change: object): string[] =>
      printed([{ __typename: 'ApprovalRequested', ...base, approval: { ...approval, ...change } }]).split(
        '\n',
      );
    expect(shown({})).toEqual([
      `? may send_email be carried out? to: "a@example.org", body: "${'x'.repeat(1_000)}"`,
      '  why: Je l’envoie.',
      '  Whoever may allow it answers until 2026-01-02T04:00:00.000Z, in the console, or by the API at http://localhost:3000/graphql:',
      '  mutation { resolveApproval(input: { approvalId: "a-1", approve: true }) { status } }',
      '',
    ]);
    expect(shown({ arguments: {}, reason: null }).slice(0, 2)).toEqual([
      '? may send_email be carried out?',
      '  Whoever may allow it answers until 2026-01-02T04:00:00.000Z, in the console, or by the API at http://localhost:3000/graphql:',
    ]);
  });

  it('shows nothing of an event that it does not know', () => {
    expect(printed([{ __typename: 'MoodChanged', ...base, mood: 'calm' } as unknown as TurnEvent])).toBe('');
  });

  it('says of a turn in the background how to leave it to itself, to whoever looks on', () => {
    const moved: TurnEvent = {
      __typename: 'MovedToBackground',
      ...base,
      reason: null,
      message: 'It takes longer.',
    };
    expect(printed([moved], { live: false })).toBe('⇢ It takes longer.\n');
    expect(printed([moved]).split('\n')).toEqual([
      '⇢ It takes longer.',
      '  Ctrl-C still cancels it. Close the terminal, and it goes on:',
      '  the answer will be in the conversation c-1.',
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
