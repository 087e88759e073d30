import fc from 'fast-check';
import { type ChatMessage, ModelError, O200kTokenizer, type ToolSpec } from '@palabre/llm-client';

import { messagesTokens, toolsTokens } from './prompt-tokens.js';
import { resultIn, scriptedTurn, unpairedIn } from '../scripted-turn.double.js';
import { fitPrompt, type FittedPrompt } from './fit-prompt.js';
import { buildPrompt, markedNote, type PromptState, type Step } from './prompt.js';

const tokens = new O200kTokenizer();
const tools: ToolSpec[] = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];

const template = 'Rules. {skill} {initial_context_title}: {initial_context_description}';
function state(changes: Partial<PromptState> = {}): PromptState {
  return {
    ...scriptedTurn(3).prompt,
    template,
    skillText: '',
    memoryText: '',
    steps: [],
    ...changes,
  };
}

/** Different words at each place, so that cuts are visible. */
function words(count: number, name = 'word'): string {
  return Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');
}
function exchange(number: number, length: number): PromptState['history'] {
  return [
    { role: 'user', text: `Question ${number} ${words(length)}` },
    { role: 'assistant', text: `Answer ${number} ${words(length)}` },
  ];
}
function step(number: number, ...lengths: number[]): Step {
  return {
    text: '',
    calls: lengths.map((length, index) => ({
      id: `call-${number}-${index}`,
      name: 'look',
      arguments: '{"a":1}',
      result: words(length, `r${number}_`),
    })),
  };
}

function sizeOf(messages: readonly ChatMessage[]): number {
  return messagesTokens(messages, tokens) + toolsTokens(tools, tokens);
}
function wholeSize(of: PromptState): number {
  return sizeOf(buildPrompt(of));
}
/** Fits a prompt into a window with this room, without the margin. */
function fit(of: PromptState, room: number): FittedPrompt {
  return fitPrompt(of, { windowTokens: Math.ceil(room * 1.03) + 500, maxOutputTokens: 500, tokens, tools });
}
function failureOf(of: PromptState, room: number): unknown {
  try {
    fit(of, room);
    return null;
  } catch (error) {
    return error;
  }
}
function resultsOf({ messages }: { messages: readonly ChatMessage[] }): string[] {
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => resultIn(content));
}
/** The number of incomplete results. */
function shortenedIn(prompt: FittedPrompt, of: PromptState): number {
  const whole = resultsOf({ messages: buildPrompt(of) });
  return resultsOf(prompt).filter((result, index) => result !== whole[index]).length;
}
function spokenOf({ messages }: { messages: readonly ChatMessage[] }): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content.split(' word')[0]!);
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.nat({ max: 120 }).map((count) => words(count)),
  fc.nat({ max: 60 }).map((count) => '盤查報告'.repeat(count)),
);
const anyCall = fc.record({
  id: fc.constantFrom('', 'a', 'b'),
  name: fc.constantFrom('look', 'fetch it'),
  arguments: fc.oneof(
    fc.constantFrom('{"a":1}', '{'),
    anyText.map((text) => JSON.stringify({ text })),
  ),
  result: fc.option(anyText, { freq: 10 }),
});
const anyState = fc
  .record({
    language: fc.constantFrom('fr', 'en', 'es', 'zh-Hant'),
    summary: fc.option(anyText),
    memoryText: fc.oneof(
      fc.constant(''),
      anyText.map((text) => `<memory>\n${text}\n</memory>`),
    ),
    history: fc.array(
      fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), text: anyText }),
      { maxLength: 24 },
    ),
    question: anyText.map((text) => `${text}?`),
    steps: fc.array(
      fc.record({
        text: anyText,
        calls: fc.array(anyCall, { minLength: 1, maxLength: 3 }),
        echo: fc.option(
          anyText.map((data) => ({ model: 'm', data })),
          { nil: undefined },
        ),
      }),
      { maxLength: 5 },
    ),
    note: fc.constantFrom('', 'Two steps are left.'),
  })
  .map(state);
const anyRoom = fc.integer({ min: 150, max: 2500 });

describe('fitPrompt', () => {
  it('is never over the window: what does not fit at all is an error that says so', () => {
    let [fitted, refused, trimmed] = [0, 0, 0];
    fc.assert(
      fc.property(anyState, anyRoom, (drawn, room) => {
        const failure = failureOf(drawn, room);
        if (failure !== null) {
          refused += 1;
          expect(failure).toBeInstanceOf(ModelError);
          expect(failure).toMatchObject({ code: 'CONTEXT_TOO_LARGE', retryable: false });
          return;
        }
        const prompt = fit(drawn, room);
        fitted += 1;
        if (sizeOf(prompt.messages) !== wholeSize(drawn)) trimmed += 1;
        expect(sizeOf(prompt.messages)).toBeLessThanOrEqual(room + 1);
        if (prompt.tokens !== null) expect(prompt.tokens).toBe(sizeOf(prompt.messages));
      }),
      { numRuns: 100 },
    );
    expect(Math.min(fitted, refused, trimmed)).toBeGreaterThan(0);
  });

  it('leaves a prompt that fits as it is', () => {
    fc.assert(
      fc.property(anyState, (drawn) => {
        const prompt = fit(drawn, wholeSize(drawn) + 1);
        expect(prompt.messages).toEqual(buildPrompt(drawn));
        expect(prompt).toMatchObject({ historyDropped: 0 });
      }),
    );
  });

  it('keeps the calls with their results, the question, the note and the order', () => {
    fc.assert(
      fc.property(anyState, anyRoom, (drawn, room) => {
        if (failureOf(drawn, room) !== null) return;
        const { messages, historyDropped } = fit(drawn, room);
        const whole = buildPrompt(drawn);
        expect(unpairedIn(messages)).toEqual([]);
        const called = (list: readonly ChatMessage[]) =>
          list
            .flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
            .map(({ id }) => id);
        expect(called(messages)).toEqual(called(whole));

        const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
        expect(question.replace(`\n\n${markedNote(drawn.note ?? '')}`, '').endsWith(drawn.question)).toBe(
          true,
        );
        expect(messages.at(-1)?.content.endsWith(drawn.note ? markedNote(drawn.note) : '')).toBe(true);

        const roles = messages.slice(1, messages.length - stepMessageCount(drawn)).map(({ role }) => role);
        expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
        const spoken = (list: readonly ChatMessage[]) =>
          list
            .slice(1, list.length - stepMessageCount(drawn))
            .map(({ content }) => content)
            .join('\n\n');
        // Memories are before the question, and are left out after the history.
        const said = withoutMemory(drawn, spoken(messages));
        expect(withoutMemory(drawn, spoken(whole)).endsWith(said)).toBe(true);
        expect(withoutMemory(drawn, spoken(whole)) === said).toBe(historyDropped === 0);
      }),
      { numRuns: 100 },
    );
  });

  it('gives a prompt that begins as the one before, or one that was trimmed far enough to last', () => {
    let trimmedAnew = 0;
    fc.assert(
      fc.property(anyState, fc.integer({ min: 800, max: 2500 }), (drawn, room) => {
        const prompts: FittedPrompt[] = [];
        for (let taken = 0; taken <= drawn.steps.length; taken += 1) {
          const then = { ...drawn, steps: drawn.steps.slice(0, taken), note: '' };
          if (failureOf(then, room) !== null) return;
          prompts.push(fit(then, room));
        }
        for (const [index, { messages }] of prompts.entries()) {
          const before = prompts[index - 1]?.messages;
          if (!before || startsWith(messages, before)) continue;
          trimmedAnew += 1;
          const core = coreSize({ ...drawn, steps: drawn.steps.slice(0, index), note: '' });
          expect(sizeOf(messages)).toBeLessThanOrEqual(Math.max(0.85 * room, core + (room - core) / 2) + 1);
        }
      }),
      { numRuns: 100 },
    );
    expect(trimmedAnew).toBeGreaterThan(5);
  });

  it('trims in few steps of a long turn, and in between goes on with the prompt as it was', () => {
    const steps = Array.from({ length: 40 }, (_, number) => step(number, 60));
    const prompts = steps.map((_, taken) => fit(state({ steps: steps.slice(0, taken) }), 5000).messages);
    const anew = prompts.filter((messages, index) => !startsWith(messages, prompts[index - 1] ?? []));
    expect(wholeSize(state({ steps }))).toBeGreaterThan(10_000);
    expect(anew.length).toBeGreaterThan(2);
    expect(anew.length).toBeLessThan(12);
  });

  it('depends on nothing but the state and the limits', () => {
    fc.assert(
      fc.property(anyState, anyRoom, (drawn, room) => {
        if (failureOf(drawn, room) !== null) return;
        const copy = structuredClone(drawn);
        expect(fit(copy, room)).toEqual(fit(drawn, room));
        expect(drawn).toEqual(copy);
      }),
    );
  });
});

describe('what is left out first', () => {
  const summary = words(100, 'summed');
  const history = [1, 2, 3].flatMap((number) => exchange(number, 50));
  const steps = [...[0, 1, 2, 3].map((number) => step(number, 150)), step(4, 150, 300)];
  const long = state({ summary, history, steps });
  const size = wholeSize(long);
  const isLeftOut = (result: string): boolean => result.startsWith('[Result of look left out');
  const shortSteps = steps.map((each, index) => (index === 4 ? each : step(index, 4)));
  const withoutOld = wholeSize({ ...long, steps: shortSteps });
  const withoutHistory = wholeSize({ ...long, steps: shortSteps, history: [] });
  /** The prompt when trimmed to this size. */
  const trimmedTo = (goal: number): FittedPrompt => fit(long, Math.ceil(goal / 0.85));

  it('is the result of the oldest calls, with a note of what it was', () => {
    const prompt = fit(long, size - 1);
    const results = resultsOf(prompt);
    expect(results[0]).toMatch(/^\[Result of look left out for lack of room: \d+ tokens\]$/);
    expect(results.map(isLeftOut)).toEqual([true, true, false, false, false, false]);
    expect(results.slice(2)).toEqual(resultsOf({ messages: buildPrompt(long) }).slice(2));
    expect(prompt.messages.slice(0, 8)).toEqual(buildPrompt(long).slice(0, 8));
    expect(prompt.historyDropped).toBe(0);
  });

  it('is then the history, question by question, and the prompt says so', () => {
    const prompt = trimmedTo(withoutOld - 150);
    expect(resultsOf(prompt).map(isLeftOut)).toEqual([true, true, true, true, false, false]);
    expect(prompt.historyDropped).toBe(2);
    expect(spokenOf(prompt)).toEqual(['Question 2', 'Question 3', 'How much?']);
    expect(prompt.messages[0]?.content).toContain(
      '> Older messages have been left out for lack of room.\n> summed0 ',
    );
    expect(prompt.messages[0]?.content).toContain(' summed99');
    expect(shortenedIn(prompt, long)).toBe(4);
  });

  it('is then the end of the summary', () => {
    const prompt = trimmedTo(withoutHistory - 100);
    expect(prompt.historyDropped).toBe(6);
    expect(prompt.messages[0]?.content).toContain('> summed0 ');
    expect(prompt.messages[0]?.content).not.toContain(' summed99');
    expect(resultsOf(prompt).slice(-2)).toEqual(resultsOf({ messages: buildPrompt(long) }).slice(-2));
  });

  it('is what is remembered before anything of the summary, and after the history', () => {
    const memoryText = `<memory>\n${words(200, 'noted')}\n</memory>`;
    const knowing = { ...long, memoryText };
    const trimmed = (goal: number): string =>
      fit(knowing, Math.ceil(goal / 0.85))
        .messages.map(({ content }) => content)
        .join('\n\n');
    const all = trimmed(withoutHistory + sizeOf([{ role: 'user', content: memoryText }]));
    expect(all).toContain(`\n\n${memoryText}\n\n`);
    expect(all).toContain(' summed99');
    expect(fit(knowing, Math.ceil(withoutHistory / 0.85)).historyDropped).toBe(6);
    const without = trimmed(withoutHistory + 10);
    expect(without).not.toContain('noted');
    expect(without).toContain(' summed99');
  });

  it('are then the results of the last step, each by its share', () => {
    const prompt = trimmedTo(withoutHistory - 800);
    expect(prompt.messages[0]?.content).not.toContain('summed');
    const [short = '', longer = ''] = resultsOf(prompt).slice(-2);
    for (const result of [short, longer]) {
      expect(result).toMatch(/^r4_0 .*\n\[… about \d+ of \d+ tokens left out for lack of room\]$/s);
    }
    expect(tokens.count(longer) / tokens.count(short)).toBeCloseTo(2, 0);
    expect(shortenedIn(prompt, long)).toBe(6);
  });

  it('is last what the old steps said, and what they asked with', () => {
    const talkative = state({
      steps: [0, 1].map((number) => ({ ...step(number, 100), text: words(200, `said${number}_`) })),
    });
    const { messages } = fit(talkative, 1200);
    expect(messages[2]).toMatchObject({ content: '', toolCalls: [{ name: 'look', arguments: '{}' }] });
    expect(messages[4]).toMatchObject({
      content: words(200, 'said1_'),
      toolCalls: [{ name: 'look', arguments: '{"a":1}' }],
    });
  });

  it('is what is wanted back with old steps before the last results, and with the last one at the very end', () => {
    const thoughtful = state({
      history,
      steps: [0, 1, 2].map((number) => ({
        ...step(number, 100),
        echo: { model: 'm', data: words(300, `thought${number}_`) },
      })),
    });
    const echoesAt = (room: number): (boolean | null)[] => {
      const { messages } = fit(thoughtful, room);
      const said = messages.filter((each) => each.role === 'assistant' && each.toolCalls);
      return said.map((each) => each.role === 'assistant' && each.echo !== undefined);
    };
    const bare = wholeSize({
      ...thoughtful,
      history: [],
      steps: thoughtful.steps.map((each) => ({ ...each, echo: undefined })),
    });
    const one = tokens.count(words(300, 'thought0_'));
    /** The size of a prompt that keeps this many of them. */
    const roomFor = (count: number): number => Math.ceil((bare + count * one) / 0.85);
    expect(echoesAt(wholeSize(thoughtful))).toEqual([true, true, true]);
    expect(echoesAt(roomFor(2))).toEqual([false, true, true]);
    expect(echoesAt(roomFor(1))).toEqual([false, false, true]);
    expect(resultsOf(fit(thoughtful, roomFor(1))).at(-1)).toBe(words(100, 'r2_'));
    expect(echoesAt(one)).toEqual([false, false, false]);
    // The conversation stays longer than echoes of old steps.
    const unthought = wholeSize({
      ...thoughtful,
      steps: thoughtful.steps.map((each) => ({ ...each, echo: undefined })),
    });
    const room = Math.ceil((unthought + one) / 0.85);
    expect(echoesAt(room)).toEqual([false, false, true]);
    expect(fit(thoughtful, room).historyDropped).toBe(0);
  });

  it('is never a result that is no longer than the note in its place', () => {
    const short = state({ steps: [step(0, 2), step(1, 2000), step(2, 2)] });
    const prompt = fit(short, 4000);
    expect(resultsOf(prompt)).toEqual([
      words(2, 'r0_'),
      expect.stringContaining('left out'),
      words(2, 'r2_'),
    ]);
    expect(shortenedIn(prompt, short)).toBe(1);
  });

  it('speaks the assistant’s language', () => {
    const chinese = { ...long, language: 'zh-Hant' };
    expect(resultsOf(fit(chinese, size - 1))[0]).toMatch(/^〔因篇幅有限，略去 look 的結果：\d+ 個詞元〕$/);
  });
});

describe('what cannot be left out', () => {
  it('is the question: the error says how long it is, and how long it may be', () => {
    const error = failureOf(state({ question: words(2000), history: exchange(1, 100) }), 1000);
    expect(error).toMatchObject({ code: 'CONTEXT_TOO_LARGE', retryable: false });
    const [, taken, left] = /it takes (\d+) tokens, and there is room for (\d+)\.$/.exec(String(error)) ?? [];
    expect(Number(taken)).toBe(tokens.count(words(2000)));
    expect(Number(left)).toBeGreaterThan(900);
    expect(failureOf(state({ question: tokens.cut(words(2000), Number(left) - 20) }), 1000)).toBeNull();
  });

  it('is the assistant’s prompt', () => {
    const error = failureOf(state({ template: `${words(2000)} ${template}` }), 1000);
    expect(error).toMatchObject({ code: 'CONTEXT_TOO_LARGE' });
    expect(String(error)).toMatch(
      /The prompt is too long for the model: it takes \d+ tokens at least, and a window of 1530 \(LLM_CONTEXT_WINDOW\) has room for 1000 /,
    );
  });

  it('is room for the answer, even when it takes the whole window', () => {
    const limits = { windowTokens: 4000, maxOutputTokens: 4096, tokens, tools };
    expect(() => fitPrompt(state(), limits)).toThrow('has room for 0 ');
  });
});

describe('counting', () => {
  it('is left aside when the bytes alone are few enough', () => {
    expect(fit(state(), 1000).tokens).toBeNull();
    expect(fit(state({ question: words(400) }), 1500).tokens).toBe(
      wholeSize(state({ question: words(400) })),
    );
  });

  it('takes the tools into account', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...tools[0]!, name: `look_${index}` }));
    const limits = { windowTokens: 1000, maxOutputTokens: 100, tokens };
    expect(fitPrompt(state(), { ...limits, tools }).tokens).toBeNull();
    expect(() => fitPrompt(state(), { ...limits, tools: many })).toThrow('too long for the model');
  });

  it('goes through three hundred long messages', () => {
    const steps = Array.from({ length: 40 }, (_, number) => step(number, 400, 400, 400, 400, 400, 400));
    const history = Array.from({ length: 10 }, (_, number) => exchange(number, 400)).flat();
    const many = state({ history, steps });
    expect(buildPrompt(many)).toHaveLength(1 + 20 + 1 + 40 * 7);
    const prompt = fit(many, 30_000);
    expect(prompt.tokens).toBeLessThanOrEqual(30_000);
    expect(prompt.messages.length).toBeGreaterThan(280);
    expect(resultsOf(prompt).slice(-6)).toEqual(steps.at(-1)?.calls.map(({ result }) => result));
  });
});

function withoutMemory({ memoryText }: PromptState, spoken: string): string {
  return memoryText === '' ? spoken : spoken.replace(`${memoryText}\n\n`, '');
}

function stepMessageCount({ steps }: PromptState): number {
  return steps.reduce((count, { calls }) => count + 1 + calls.length, 0);
}

function startsWith(messages: readonly ChatMessage[], before: readonly ChatMessage[]): boolean {
  return JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before);
}

/** The size after all possible trimming. */
function coreSize(of: PromptState): number {
  const calls = (each: Step): Step['calls'] => each.calls.map((call) => ({ ...call, result: null }));
  const last = of.steps.length - 1;
  const steps = of.steps.map((each, index) =>
    index === last ? { ...each, calls: calls(each) } : { text: '', calls: calls(each) },
  );
  return wholeSize({ ...of, summary: '', history: [], steps }) + 40;
}
