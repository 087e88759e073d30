import { randomUUID } from 'node:crypto';

import type { Attack, Attacker } from '../attacker.js';

function many(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(' ');
}

/** Another text each time: what was read once is known. */
function sending(documentOf: (count: number) => string, atOnce = 4) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(atOnce, (count) =>
      attacker.post(JSON.stringify({ query: `${documentOf(count)} # ${count}` })),
    );
}

function asking(query: string, variablesOf: (count: number) => object, atOnce = 4) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(atOnce, (count) => attacker.ask(query, variablesOf(count)));
}

const CONVERSATIONS = `{ conversations(first: 100) { edges { node { id title summary createdAt updatedAt
  messages(first: 20) { edges { node { id role text citations { quote } turn { id status usage { inputTokens } } } } } } } } }`;

/** Fragments of which each shows the next one twice. */
function doubling(levels: number): string {
  return `{ viewer { ...f0 } } ${many(levels, (level) => `fragment f${level} on Viewer { ...f${level + 1} ...f${level + 1} }`)} fragment f${levels} on Viewer { id }`;
}

const REMEMBER = `mutation ($input: RememberInput!) { remember(input: $input) { id } }`;
const START = `mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }`;
const IMPORT = `mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }`;
const SEARCH = `query ($query: String!) { searchDocuments(query: $query, first: 5) { id } }`;
const CONTEXT = `query ($message: String!) { memoryContext(assistantKey: "therese", message: $message) { text } }`;
const PUBLISH = `mutation ($template: String!) { publishPrompt(assistantKey: "mefali", template: $template) { version } }`;

function messages(count: number, text: string): object[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    text,
    createdAt: new Date(1_700_000_000_000 + index * 1_000).toISOString(),
  }));
}

function importing(count: number, text: string) {
  return asking(IMPORT, () => ({ input: { assistantKey: 'mefali', messages: messages(count, text) } }), 2);
}

/** With something to show, then shown again and again. */
async function bigAnswers(attacker: Attacker): Promise<void> {
  const input = { assistantKey: 'mefali', messages: messages(500, 'Palaver. '.repeat(2_000)) };
  await attacker.ask(IMPORT, { input });
  await attacker.storm(4, () =>
    attacker.ask(
      '{ conversations(first: 100) { edges { node { messages(first: 100) { edges { node { text } } } } } } }',
    ),
  );
}

const SCHEDULE = 'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }';
/** Far apart, or never. */
const SELDOM = ['0 0 31 2 *', '0 0 29 2 1', '* * 30 2 *', '0 0 L 2 1#5', '59 23 31 4,6,9,11 *'];

const HOSTILE_TEXTS = [
  `${'a'.repeat(9_000)}!`,
  `${' \t'.repeat(4_500)}x`,
  '((((((((((a+)+)+)+)+)+)+)+)+)+)+$'.repeat(200),
  '每一個字都不同'.repeat(1_200),
  Array.from({ length: 4_000 }, (_, index) => index.toString(36))
    .join(' ')
    .slice(0, 9_900),
  `${'@'.repeat(4_000)}${'.'.repeat(4_000)}`,
  `https://${'a.'.repeat(4_000)}example`,
  `${'\u0301'.repeat(9_000)}`,
  `${'%_\\'.repeat(3_000)}`,
];
function hostileText(count: number): string {
  return `${count} ${HOSTILE_TEXTS[count % HOSTILE_TEXTS.length] ?? ''}`;
}

/** Operations of somebody who is signed in. */
export const operationAttacks: Attack[] = [
  { name: 'the dearest query that is allowed', isQuick: true, run: sending(() => CONVERSATIONS) },
  {
    name: 'queries dearer than allowed',
    run: sending(() => CONVERSATIONS.replace('first: 20', 'first: 100')),
  },
  { name: 'answers as large as allowed', run: bigAnswers },
  { name: 'aliases', run: sending(() => `{ ${many(400, (index) => `a${index}: viewer { id }`)} }`) },
  { name: 'fragments that double', run: sending(() => doubling(60)) },
  {
    name: 'fragments in a circle',
    run: sending(() => '{ viewer { ...a } } fragment a on Viewer { ...b } fragment b on Viewer { ...a }'),
  },
  {
    name: 'the same field 900 times',
    isQuick: true,
    run: sending(() => `{ viewer { ${'id '.repeat(900)} } }`),
  },
  {
    name: 'fields of which each has the others to fit',
    run: sending(() => `{ ${many(190, () => 'viewer { id role name }')} }`),
  },
  {
    name: 'fields that are not there',
    run: sending((count) => `{ ${many(900, (index) => `viewr${count}x${index}`)} }`),
  },
  { name: 'a query 600 deep', run: sending(() => `${'{ node '.repeat(600)}${'}'.repeat(600)}`) },
  {
    name: 'directives',
    run: sending(() => `{ viewer { id ${many(350, () => '@skip(if: false)')} } }`),
  },
  {
    name: 'operations side by side',
    run: sending(() => many(300, (index) => `query q${index} { viewer { id } }`)),
  },
  {
    name: 'variables that nobody uses',
    run: sending(() => `query (${many(300, (index) => `$v${index}: Int`)}) { viewer { id } }`),
  },
  {
    name: 'a text of 900 KB in a query',
    run: sending(() => `{ node(id: "${'é'.repeat(450_000)}") { id } }`),
  },
  {
    name: 'escapes in a query',
    run: sending(() => `{ node(id: "${'\\u0041'.repeat(100_000)}") { id } }`),
  },
  {
    name: 'lists in a query',
    run: sending(
      () =>
        `mutation { startTurn(input: { message: "a", documentIds: [${'"a" '.repeat(1_900)}] }) { __typename } }`,
    ),
  },
  {
    name: 'giant values of the wrong kind',
    run: asking(START, () => ({ input: { message: { a: 'x'.repeat(900_000) } } })),
  },
  {
    name: 'giant idempotency keys',
    run: asking(START, (count) => ({
      input: { assistantKey: 'mefali', message: 'Bonjour', idempotencyKey: `${count}${'k'.repeat(800_000)}` },
    })),
  },
  {
    name: 'giant messages',
    run: asking(START, () => ({ input: { assistantKey: 'mefali', message: 'Bonjour. '.repeat(100_000) } })),
  },
  { name: 'imports of 5,000 messages', run: importing(5_000, 'Bonjour.') },
  { name: 'imports of 9 MB', run: importing(100, 'Bonjour. '.repeat(10_000)) },
  { name: 'imports of hostile text', run: importing(500, HOSTILE_TEXTS[4] ?? '') },
  { name: 'searches with hostile text', run: asking(SEARCH, (count) => ({ query: hostileText(count) })) },
  { name: 'contexts of hostile text', run: asking(CONTEXT, (count) => ({ message: hostileText(count) })) },
  {
    name: 'memories of hostile text',
    run: asking(REMEMBER, (count) => ({
      input: { kind: 'FACT', subject: `s${count}`, content: hostileText(count).slice(0, 900) },
    })),
  },
  {
    name: 'memories with deep attributes',
    run: asking(REMEMBER, (count) => ({
      input: {
        kind: 'FACT',
        subject: `s${count}`,
        content: 'c',
        attributes: Object.fromEntries(Array.from({ length: 2_000 }, (_, key) => [`k${key}`, key])),
      },
    })),
  },
  {
    name: 'prompts of 100,000 braces',
    run: asking(PUBLISH, (count) => ({ template: `${count}${'{date} {{'.repeat(10_000)}` })),
  },
  {
    name: 'aliases of what is dear',
    run: sending(
      (count) =>
        `{ ${many(30, (index) => `a${index}: memoryContext(assistantKey: "therese", message: "${count} ${index} Palabre à Dakar") { text }`)} }`,
    ),
  },
  {
    name: 'nodes that are not there, by the dozen',
    run: sending(() => `{ ${many(30, (index) => `a${index}: node(id: "${randomUUID()}") { id }`)} }`),
  },
  {
    name: 'cursors of 100 KB',
    run: asking(
      'query ($after: String) { conversations(first: 1, after: $after) { edges { cursor } } }',
      (count) => ({ after: Buffer.from(`${count}~`.repeat(15_000)).toString('base64url') }),
    ),
  },
  {
    name: '1,000 keys in each of 29 objects',
    run: asking(START, (count) => ({
      input: {
        assistantKey: 'mefali',
        message: 'Bonjour',
        ...Object.fromEntries(
          Array.from({ length: 28 }, (_, index) => [
            `o${index}`,
            Object.fromEntries(Array.from({ length: 1_000 }, (__, key) => [`k${count}x${index}x${key}`, 1])),
          ]),
        ),
      },
    })),
  },
  {
    name: 'names of 100 KB',
    run: sending((count) => `{ ${'a'.repeat(100_000)}${count}: viewer { ${'b'.repeat(100_000)} } }`),
  },
  {
    name: 'directives that are not there',
    run: sending(() => `{ viewer { ${many(300, () => '... @defer { id @stream(initialCount: 0) }')} } }`),
  },
  {
    name: 'lists as deep as they go',
    run: sending(() => `{ node(id: ${'['.repeat(950)}${']'.repeat(950)}) { id } }`),
  },
  {
    name: 'letters of every kind in a query',
    run: sending((count) => `{ node(id: "${'\u202e\u0000𝕏\u0301'.repeat(20_000)}${count}") { id } } # ￿`),
  },
  {
    name: 'keys that are the prototype’s',
    run: sending(
      () =>
        `mutation { remember(input: { kind: FACT, subject: "s", content: "c", attributes: { __proto__: { a: 1 }, constructor: { prototype: { a: 1 } } } }) { id } }`,
    ),
  },
  {
    name: 'schedules that never fit',
    run: asking(SCHEDULE, (count) => ({
      input: {
        assistantKey: 'mefali',
        message: 'Bonjour',
        when: { cron: SELDOM[count % SELDOM.length] },
      },
    })),
  },
  {
    name: 'filters of signs that stand for others',
    run: asking(
      'query ($filter: ConversationFilter!) { conversations(first: 100, filter: $filter) { edges { node { id } } } }',
      (count) => ({ filter: { text: `${'%_\\'.repeat(300)}${count}` } }),
    ),
  },
  {
    name: 'exports of all that one has',
    run: asking('mutation { exportMyData { id } }', () => ({})),
  },
];
