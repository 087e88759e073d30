/**
 * How well a turn's prompts fit a provider's prefix cache: turns of 2 to 10 model calls of every assistant that ships,
 * and of each two prompts in a row the share of the earlier one that the later one begins with. Exits with 1 where that
 * is less than 90 %. Then milliseconds to fit a prompt into a model's window.
 *
 *   npm run build -- --with-doubles && node bench/prompts.js
 */
import { O200kTokenizer } from '@palabre/llm-client';
import { finish, ScriptedChatModel, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { grounded } from '../dist/agent/loop/grounded.js';
import { fitPrompt } from '../dist/agent/loop/prompt/fit-prompt.js';
import { planned } from '../dist/agent/loop/planned.js';
import { reactive } from '../dist/agent/loop/reactive.js';
import {
  play,
  ScriptedModels,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
} from '../dist/agent/loop/scripted-turn.double.js';
import { assistantDefinitions } from '../dist/companies/assistants/definitions/shipped-assistants.service.js';
import { noUsage } from '../dist/conversations/turns/turn-event.js';

const leastShare = 0.9;
const strategies = { REACTIVE: reactive, PLANNED: planned, GROUNDED: grounded };
const tokens = new O200kTokenizer();

const sentence = {
  fr: 'Les émissions du site de Thiès s’élèvent à 412 tonnes en 2023, dont 61 % pour la flotte de camions.',
  es: 'La subvención cubre hasta el 40 % de la inversión y se solicita antes del 30 de septiembre de 2026.',
  zh: '範疇一排放量為 412 公噸二氧化碳當量，其中車隊占 61%，資料期間為 2023 年 1 月至 12 月。',
};
function words(language, count, name) {
  return Array.from(
    { length: count },
    (_, index) => `${name} ${index}: ${sentence[language.split('-')[0]]}`,
  ).join('\n');
}

const company = {
  name: 'Karité du Sahel',
  sector: 'Cosmétiques',
  country: 'SN',
  city: 'Thiès',
  headcount: 42,
  revenueAmount: 250_000_000,
  revenueCurrency: 'XOF',
  environmentalPractices: ['panneaux solaires'],
  declaredGoals: ['certification bio'],
  attributes: {},
};

/** A turn of a long conversation. */
function turnOf({ strategy, language, template, budget }, maxSteps) {
  return {
    ...scriptedTurn(maxSteps),
    strategy,
    budget: { ...budget, maxSteps },
    background: { maxSteps: 20, maxSeconds: 900 },
    prompt: {
      template,
      language,
      today: new Date('2026-03-04T10:00:00Z'),
      member: { name: 'Awa' },
      company,
      summary: words(language, 10, 'Summary'),
      history: Array.from({ length: 20 }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        text: words(language, index % 2 === 0 ? 1 : 6, `Message ${index}`),
      })),
      question: sentence[language.split('-')[0]],
    },
  };
}

/** Calls one skill or two until `calls - 1` calls are made, and then answers, with or without being asked to. */
function scriptOf(strategy, calls) {
  return ({ tools }, number) => {
    const answer = [text('412 [1]'), finish()];
    if (tools.length === 0) return answer;
    if (number < calls) {
      const name = strategy === 'GROUNDED' && number === 1 ? 'retrieve_documents' : 'search_web';
      const searches = [toolCall(name, { query: `q${number}` })];
      return [
        ...searches,
        ...(number % 3 === 0 ? [toolCall('read_webpage', { url: `u${number}` })] : []),
        finish(),
      ];
    }
    return strategy === 'PLANNED' ? [toolCall('synthesize_answer', { reason: 'Enough.' }), finish()] : answer;
  };
}

/** The prompts of one turn, as they were sent. */
async function promptsOf(assistant, { calls, maxSteps, windowTokens }) {
  const { language, strategy } = assistant;
  const model = new ScriptedChatModel(scriptOf(strategy, calls));
  const outcome = (lines) => () => ({
    status: 'SUCCEEDED',
    result: JSON.stringify({ text: words(language, lines, 'Line') }),
    preview: '',
  });
  const ports = scriptedPorts({
    model,
    models: new ScriptedModels(model, { windowTokens }),
    skills: new ScriptedSkills({ search_web: outcome(12), read_webpage: outcome(60) }),
    tokens,
    retrieval: {
      hasDocuments: () => Promise.resolve(true),
      retrieve: () =>
        Promise.resolve(
          Array.from({ length: 6 }, (_, index) => ({
            documentId: '01980000-0000-7000-8000-000000000000',
            documentName: `D${index}`,
            page: index,
            text: words(language, 6, 'Passage'),
            score: 0.5,
          })),
        ),
    },
  });
  const turn = turnOf(assistant, maxSteps);
  const loop = strategies[strategy](ports, turn, { ...noUsage }, new AbortController().signal);
  const { error } = await play(loop);
  if (error) throw error;
  return model.requests.map(({ messages }) => JSON.stringify(messages));
}

function commonPrefix(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Of each two prompts in a row. */
async function sharesOf(assistant, options) {
  const prompts = await promptsOf(assistant, options);
  return prompts
    .slice(1)
    .map((prompt, index) => commonPrefix(prompts[index], prompt) / prompts[index].length);
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const table = [];
const narrow = [];
for (const assistant of assistantDefinitions) {
  const ended = [];
  const usedUp = [];
  for (let calls = 2; calls <= 10; calls += 1) {
    ended.push(...(await sharesOf(assistant, { calls, maxSteps: 20, windowTokens: 1_000_000 })));
    usedUp.push(...(await sharesOf(assistant, { calls: 100, maxSteps: calls - 1, windowTokens: 1_000_000 })));
  }
  const { key, strategy } = assistant;
  const all = [...ended, ...usedUp];
  table.push({
    assistant: key,
    strategy,
    pairs: all.length,
    'least, answers by itself': percent(Math.min(...ended)),
    'least, budget used up': percent(Math.min(...usedUp)),
    mean: percent(mean(all)),
  });
  if (Math.min(...all) < leastShare) process.exitCode = 1;
  const shares = await sharesOf(assistant, { calls: 20, maxSteps: 20, windowTokens: 20_000 });
  narrow.push({
    assistant: key,
    pairs: shares.length,
    'with 90 % or more': shares.filter((share) => share >= leastShare).length,
    mean: percent(mean(shares)),
  });
}
console.log('\nShare of a prompt that the next one of the turn begins with, 2 to 10 model calls a turn');
console.table(table);
if (process.exitCode) console.log(`Less than ${percent(leastShare)} somewhere.`);
console.log(
  '\nThe same for turns of 20 calls in a window of 20,000 tokens, where prompts have to be trimmed',
);
console.table(narrow);

/** A prompt of so many messages besides the system's: 20 of history, the question, and steps of 8 calls. */
function stateOf(messages) {
  const { prompt } = turnOf(assistantDefinitions[0], 5);
  const step = (number) => ({
    text: '',
    calls: Array.from({ length: 8 }, (_, index) => ({
      id: `call-${number}-${index}`,
      name: 'search_web',
      arguments: '{"query":"q"}',
      result: words('fr', 12, `Result ${number} ${index}`),
    })),
  });
  const steps = Array.from({ length: Math.round((messages - 21) / 9) }, (_, number) => step(number));
  return { ...prompt, skillText: '', steps };
}

/** The median of 30 rounds, and the first, which counts all there is to count. */
function timeOf(state, windowTokens) {
  const counter = new O200kTokenizer();
  counter.count('loads the encoding');
  const rounds = Array.from({ length: 31 }, () => {
    const began = performance.now();
    fitPrompt(state, { windowTokens, maxOutputTokens: 1000, tools: [], tokens: counter });
    return performance.now() - began;
  });
  const [first, ...later] = rounds;
  return { first: first.toFixed(2), again: later.toSorted((a, b) => a - b)[15].toFixed(2) };
}

console.log('\nMilliseconds to build a prompt and to fit it into a window');
const times = [];
for (const messages of [21, 300]) {
  const state = stateOf(messages);
  const whole = fitPrompt(state, { windowTokens: 1e9, maxOutputTokens: 0, tools: [], tokens });
  const size = whole.messages.reduce((sum, { content }) => sum + tokens.count(content), 0);
  for (const [how, share] of [
    ['bytes are few enough', 10],
    ['counted, fits', 1.2],
    ['trimmed by a third', 0.67],
    ['trimmed to a fifth', 0.2],
  ]) {
    if (messages === 21 && share < 0.5) continue;
    times.push({
      messages: whole.messages.length - 1,
      tokens: size,
      how,
      ...timeOf(state, share * size + 1000),
    });
  }
}
console.table(times);
