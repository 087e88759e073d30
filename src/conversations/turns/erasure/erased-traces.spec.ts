import { erasedTraces, type EventTrace, type SkillCallTrace, type Traces } from './erased-traces.js';
import { ERASED, Eraser } from './eraser.js';

const TEXT = 'prefers green tea';
const eraser = new Eraser({ texts: [TEXT], shortTexts: ['Awa'] });

function call(overrides: Partial<SkillCallTrace>): SkillCallTrace {
  return {
    id: 'call-1',
    skill: 'remember',
    modelCallId: 'model-1',
    arguments: {},
    modelArguments: '{}',
    preamble: '',
    result: null,
    resultPreview: null,
    details: null,
    ...overrides,
  };
}

function asking(message: string) {
  return { server: 's', name: 'n', message, responseSchema: null, url: null, state: null, isLive: false };
}

function traces(overrides: Partial<Traces>): Traces {
  return {
    calls: [],
    inputs: [],
    events: [],
    prompts: [],
    ...overrides,
  };
}

describe('of what a turn keeps', () => {
  it('a call of a memory skill loses all that it said, also a preview that breaks off', async () => {
    const told = call({
      arguments: { subject: 'Awa', content: TEXT },
      modelArguments: `{"subject":"Awa","content":"${TEXT}"}`,
      result: `{"noted":"${TEXT}"}`,
      resultPreview: 'Noted: prefers gre…',
      details: { memory: { content: TEXT } },
    });
    expect((await erasedTraces(eraser, traces({ calls: [told] }))).calls).toEqual([
      call({
        arguments: { subject: ERASED, content: ERASED },
        modelArguments: `{"subject":"${ERASED}","content":"${ERASED}"}`,
        result: `{"noted":"${ERASED}"}`,
        resultPreview: ERASED,
        details: { memory: { content: ERASED } },
      }),
    ]);
  });

  it('a call of another skill keeps what is short', async () => {
    const other = call({
      skill: 'search_web',
      arguments: { query: 'Awa' },
      modelArguments: '{"query":"Awa"}',
    });
    expect((await erasedTraces(eraser, traces({ calls: [other] }))).calls).toEqual([]);
  });

  it('events lose what their calls did', async () => {
    const told = call({ arguments: { content: TEXT } });
    const events: EventTrace[] = [
      { sequence: 3, data: { callId: 'call-1', skill: 'remember', arguments: { content: TEXT } } },
      { sequence: 4, data: { callId: 'call-1', skill: 'remember', resultPreview: 'Noted: prefers gre…' } },
      { sequence: 5, data: { callId: 'call-2', skill: 'recall', resultPreview: 'Nothing.' } },
      { sequence: 6, data: { approval: { skill: 'remember', arguments: { subject: 'Awa' } } } },
    ];
    expect((await erasedTraces(eraser, traces({ calls: [told], events }))).events).toEqual([
      { sequence: 3, data: { callId: 'call-1', skill: 'remember', arguments: { content: ERASED } } },
      { sequence: 4, data: { callId: 'call-1', skill: 'remember', resultPreview: ERASED } },
      { sequence: 6, data: { approval: { skill: 'remember', arguments: { subject: ERASED } } } },
    ]);
  });

  it('what people are asked for loses what it said, and what was said to it', async () => {
    const approval = {
      id: 'a',
      skill: 'remember',
      modelCallId: 'm',
      arguments: { content: TEXT },
      modelArguments: '{}',
      preamble: `I note: ${TEXT}`,
      reason: `I note: ${TEXT}`,
      comment: 'Awa is fine',
      request: asking(TEXT),
      answer: { value: { note: TEXT } },
    };
    expect((await erasedTraces(eraser, traces({ inputs: [approval] }))).inputs).toEqual([
      {
        ...approval,
        arguments: { content: ERASED },
        preamble: `I note: ${ERASED}`,
        reason: `I note: ${ERASED}`,
        comment: `${ERASED} is fine`,
        request: asking(ERASED),
        answer: { value: { note: ERASED } },
      },
    ]);
  });

  it('a prompt loses it in the memory section, in calls and in results, and keeps its order and references', async () => {
    const asked = call({ skill: 'recall', modelCallId: 'model-1' });
    const toolCalls = [{ id: 'model-1', name: 'recall', arguments: '{"query":"Awa"}' }];
    const prompt = {
      id: 'p',
      messages: [
        { role: 'system' as const, digest: 'd' },
        { role: 'system' as const, content: `Awa asks.\n<memory>\n- Awa: ${TEXT}\n</memory>` },
        { role: 'user' as const, content: 'Who is Awa?' },
        { role: 'assistant' as const, content: '', toolCalls },
        { role: 'tool' as const, toolCallId: 'model-1', content: `{"subject":"Awa","content":"${TEXT}"}` },
        { role: 'tool' as const, toolCallId: 'model-2', content: 'Awa' },
      ],
    };
    expect((await erasedTraces(eraser, traces({ calls: [asked], prompts: [prompt] }))).prompts).toEqual([
      {
        id: 'p',
        messages: [
          prompt.messages[0],
          { role: 'system', content: `Awa asks.\n<memory>\n- ${ERASED}: ${ERASED}\n</memory>` },
          prompt.messages[2],
          {
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'model-1', name: 'recall', arguments: `{"query":"${ERASED}"}` }],
          },
          { role: 'tool', toolCallId: 'model-1', content: `{"subject":"${ERASED}","content":"${ERASED}"}` },
          prompt.messages[5],
        ],
      },
    ]);
  });

  it('what does not hold it is not written again', async () => {
    const other = traces({
      calls: [call({ arguments: { content: 'prefers coffee' } })],
      events: [{ sequence: 1, data: { skill: 'remember', arguments: { content: 'prefers coffee' } } }],
      prompts: [{ id: 'p', messages: [{ role: 'user', content: 'Awa' }] }],
    });
    expect(await erasedTraces(eraser, other)).toEqual(traces({}));
  });

  it.each([
    ['lets others be served while it takes long', 5, 10],
    ['is not interrupted otherwise, as a transaction is open', 0, 0],
  ])('%s', async (_, msOfMessage, served) => {
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(eraser, 'text').mockImplementation((text) => {
      now += msOfMessage;
      return text;
    });
    const messages = Array.from({ length: 20 }, () => ({ role: 'user' as const, content: TEXT }));
    let rounds = 0;
    const serve = (): void => {
      rounds += 1;
      waiting = setImmediate(serve);
    };
    let waiting = setImmediate(serve);
    await erasedTraces(eraser, traces({ prompts: [{ id: 'p', messages }] }));
    clearImmediate(waiting);
    vi.restoreAllMocks();
    expect(rounds).toBe(served);
  });
});
