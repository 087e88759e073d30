import { planLabelsFor } from '../src/agent/loop/plan-labels.js';
import { controlsFor } from '../src/agent/loop/plan.js';
import { buildPrompt, type PromptState, type Step } from '../src/agent/loop/prompt/prompt.js';
import { summaryTask } from '../src/agent/upkeep/summary-task.js';
import { readAnswer, type Task } from '../src/agent/upkeep/task.js';
import { titleTask } from '../src/agent/upkeep/title-task.js';
import { unansweredText } from '../src/agent/unanswered.js';
import type { ChatMessage, ToolSpec } from '../src/llm/chat-model.js';
import { unansweredBy } from '../src/llm/offline/loop-notes.js';
import { completionRequest } from '../src/llm/offline/server/protocol.js';
import { think } from '../src/llm/offline/think.js';
import type { Unanswered } from '../src/turns/turn-event.js';

const languages = ['fr', 'en', 'es', 'zh-Hant'];

/** A request as it reaches a provider. */
const requestOf = (messages: readonly ChatMessage[], tools: readonly ToolSpec[], toolChoice: unknown) =>
  completionRequest.parse({
    model: 'x',
    messages: messages.map((message) => {
      if (message.role === 'tool') {
        return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
      }
      const calls = message.role === 'assistant' ? message.toolCalls : undefined;
      const toolCalls = calls?.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
      return { role: message.role, content: message.content, ...(toolCalls && { tool_calls: toolCalls }) };
    }),
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: toolChoice,
  });

const stateOf = (language: string, question: string, note: string, steps: Step[] = []): PromptState => ({
  template:
    '{language} {name} {date} {profile} {skill} {initial_context_title} {initial_context_description}',
  language,
  today: new Date('2026-03-02'),
  member: { name: 'Ada' },
  company: {
    name: 'Teranga',
    sector: null,
    country: null,
    city: null,
    headcount: null,
    revenueAmount: null,
    revenueCurrency: null,
    environmentalPractices: [],
    declaredGoals: [],
    attributes: {},
  },
  skillText: '',
  memoryText: '',
  summary: null,
  history: [],
  question,
  steps,
  note,
});

const question = 'Teranga 2026 xyzzy?';

describe.each(languages)('what the loop notes at the end of a prompt, in %s', (language) => {
  const labels = planLabelsFor(language);
  const notes = [labels.answerNow, labels.left(4, 31), `${labels.inBackground} ${labels.left(0, 0)}`];
  const wordsIn = (text: string): string[] => text.split(/(?<=[.。：；，])/u).map((part) => part.trim());

  it('is no part of the question', () => {
    const plain = think(requestOf(buildPrompt(stateOf(language, question, '')), [], 'auto'));
    for (const note of notes) {
      const reply = think(requestOf(buildPrompt(stateOf(language, question, note)), [], 'auto'));
      expect(reply).toEqual(plain);
    }
  });

  it('is no part of a result', () => {
    const calls = [
      {
        id: 'a',
        name: 'get_company_profile',
        arguments: '{}',
        result: '{"sector":"textile","city":"Thiès"}',
      },
    ];
    for (const note of notes) {
      const prompt = buildPrompt(stateOf(language, question, note, [{ text: '', calls }]));
      const reply = think(requestOf(prompt, [], 'auto'));
      const text = 'text' in reply ? reply.text : '';
      expect(text).toContain('textile');
      expect(text).not.toContain('{');
      for (const words of wordsIn(note)) expect(text).not.toContain(words);
    }
  });

  it('does not keep the planner from deciding', () => {
    for (const note of notes) {
      const prompt = buildPrompt(stateOf(language, question, note));
      const reply = think(requestOf(prompt, controlsFor(language, true), 'required'));
      expect(reply).toMatchObject({ toolCalls: [{ name: 'synthesize_answer' }] });
    }
  });
});

it.each(languages)('what is said in place of an answer is understood, in %s', (language) => {
  const understood = (why: Unanswered) => unansweredBy(unansweredText(why, language));
  expect(understood('CANCELLED')).toBe('WITHDRAWN');
  expect(understood('SUPERSEDED')).toBe('WITHDRAWN');
  expect(understood('FAILED')).toBe('FAILED');
  expect(understood('IN_BACKGROUND')).toBeNull();
});

describe.each(languages)('what the product asks besides answers, in %s', (language) => {
  const asked = {
    fr: ['Quel est le prix du kWh à Dakar ?', 'Le kWh coûte 91 FCFA.'],
    en: ['What is the price of electricity in Dakar?', 'It costs 91 FCFA.'],
    es: ['¿Cuál es el precio de la electricidad en Dakar?', 'Cuesta 91 FCFA.'],
    'zh-Hant': ['達卡每度電的價格是多少？', '每度電是91西非法郎。'],
  }[language] as [string, string];
  const [first, answer] = asked;
  const doneBy = <Value>(task: Task<Value>): Value | null => {
    const reply = think(
      requestOf(task.messages, [task.tool], { type: 'function', function: { name: task.tool.name } }),
    );
    const calls = 'toolCalls' in reply ? reply.toolCalls : [];
    return readAnswer(
      task,
      calls.map((call) => ({ type: 'tool-call' as const, call })),
    );
  };

  it('is a title in the words of the question', () => {
    const title = doneBy(titleTask(language, first, answer));
    expect(title).not.toBeNull();
    expect(title?.length).toBeLessThan(first.length);
    expect(first.toLowerCase()).toContain(title?.slice(1, 3));
  });

  it('is a summary that goes on from the one before', () => {
    const messages = [
      { id: '1', role: 'USER' as const, text: first },
      { id: '2', role: 'ASSISTANT' as const, text: answer },
    ];
    const before = '- Alpha 2023\n- Beta 2024';
    const points = doneBy(summaryTask(language, before, messages))?.split('\n') ?? [];
    expect(points.slice(0, 2)).toEqual(['- Alpha 2023', '- Beta 2024']);
    expect(points).toHaveLength(3);
    expect(points[2]).toContain('91');
  });
});
