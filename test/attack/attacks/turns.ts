import type { Attack, Attacker } from '../attacker.js';

const START = `mutation ($input: StartTurnInput!) { startTurn(input: $input) {
  __typename ... on TurnAccepted { turn { id } conversation { id } } } }`;
const CANCEL = 'mutation ($id: ID!) { cancelTurn(id: $id) { status } }';
const DELETE = 'mutation ($id: ID!) { deleteConversation(id: $id) }';

interface Started {
  startTurn: { turn: { id: string }; conversation: { id: string } };
}

/** What the model is to do, as the question has it. */
export function scripted(script: object): string {
  return JSON.stringify({ script });
}

async function start(attacker: Attacker, input: object): Promise<Started['startTurn']> {
  return (await attacker.ask<Started>(START, { input: { assistantKey: 'mefali', ...input } })).startTurn;
}

function starting(script: object, atOnce = 8) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(atOnce, () => start(attacker, { message: scripted(script) }));
}

/** Turns and conversations: many, long, broken off. */
export const turnAttacks: Attack[] = [
  { name: 'turns without a pause', run: starting({ words: 20 }) },
  { name: 'turns whose answers do not end', run: starting({ words: 20_000, pauseMs: 0 }, 4) },
  {
    name: 'turns whose answers come a word a second',
    isQuick: true,
    run: starting({ words: 1_000, pauseMs: 1_000 }),
  },
  {
    name: 'turns that are cancelled at once',
    isQuick: true,
    run: (attacker) =>
      attacker.storm(8, async () => {
        const { turn } = await start(attacker, { message: scripted({ words: 1_000 }) });
        await attacker.ask(CANCEL, { id: turn.id });
      }),
  },
  {
    name: 'turns that interrupt each other',
    run: async (attacker) => {
      const { conversation } = await start(attacker, { message: scripted({ words: 1_000 }) });
      const input = { conversationId: conversation.id, assistantKey: null, whenBusy: 'INTERRUPT' };
      await attacker.storm(4, () => start(attacker, { ...input, message: scripted({ words: 1_000 }) }));
    },
  },
  {
    name: 'a conversation with a long line',
    run: async (attacker) => {
      const { conversation } = await start(attacker, { message: scripted({ words: 1_000 }) });
      const input = { conversationId: conversation.id, assistantKey: null };
      await attacker.storm(4, () => start(attacker, { ...input, message: scripted({}) }));
    },
  },
  {
    name: 'conversations begun and deleted',
    run: (attacker) =>
      attacker.storm(8, async () => {
        const { conversation } = await start(attacker, { message: scripted({}) });
        await attacker.ask(DELETE, { id: conversation.id });
      }),
  },
  {
    name: 'the same question again and again',
    run: (attacker) =>
      attacker.storm(8, () => start(attacker, { message: scripted({}), idempotencyKey: 'same' })),
  },
  {
    name: 'turns that call skills that are not there',
    run: starting({
      calls: Array.from({ length: 20 }, (_, index) => ({ name: `skill_${index}`, arguments: {} })),
    }),
  },
  {
    name: 'turns whose answers have to fit a pattern',
    run: (attacker) =>
      attacker.storm(4, (count) =>
        start(attacker, {
          message: scripted({}),
          answerSchema: {
            type: 'object',
            properties: { a: { type: 'string', pattern: `^((.{0,30}x?){0,30}y?){0,30}${count}$` } },
          },
        }),
      ),
  },
  {
    name: 'turns with skills of the client, of hostile schemas',
    run: (attacker) =>
      attacker.storm(4, (count) =>
        start(attacker, {
          message: scripted({
            calls: [{ name: 'mine', arguments: { values: Array.from({ length: 9_000 }, () => ({})) } }],
          }),
          clientSkills: [
            {
              key: 'mine',
              description: 'Mine.',
              parameters: {
                type: 'object',
                properties: {
                  values: {
                    type: 'array',
                    items: { required: Array.from({ length: 3_000 }, (_, index) => `x${count}${index}`) },
                  },
                },
              },
            },
          ],
        }),
      ),
  },
  {
    name: 'turns that search with hostile text',
    run: starting({ calls: [{ name: 'recall', arguments: { query: '((a+)+)+$ '.repeat(500) } }] }),
  },
];
