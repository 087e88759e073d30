import type { JsonObject } from '@palabre/json';

import { wordingIn } from '../../common/wording/wording.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import type { McpRequest } from '../../conversations/turns/turn-event.js';
import { answerOf, inputRequestsOf } from './asked-inputs.js';

const id = 'the-input';

function input(kind: PendingInput['kind'], more: Partial<PendingInput> = {}): PendingInput {
  const asked: JsonObject = kind === 'QUESTION' ? { prompt: 'Where?' } : { city: 'Thiès' };
  const given = { id, turnId: 'turn', kind, status: 'PENDING', skill: 'move', arguments: asked };
  return { ...given, reason: null, request: null, expiresAt: new Date(0), ...more } as PendingInput;
}

function mcpInput(request: Partial<McpRequest>): PendingInput {
  const whole = { server: 'erp', name: 'a', message: 'Which?', responseSchema: null, url: null, state: null };
  return input('MCP_INPUT', { request: { ...whole, isLive: false, ...request } });
}

const words = wordingIn('fr').doors;
const responseSchema = { type: 'object', properties: { region: { type: 'string' } } };
const page = mcpInput({ url: 'https://erp.example.org' });

describe('what a client’s user is asked', () => {
  it.each([
    [
      'a question',
      input('QUESTION'),
      { form: {} },
      { message: 'Where?', requestedSchema: { required: ['answer'] } },
    ],
    [
      'an approval',
      input('APPROVAL'),
      {},
      {
        message: 'Exécuter « move » avec {"city":"Thiès"} ?',
        requestedSchema: {
          properties: { approve: { title: 'L’exécuter' }, comment: { title: 'Commentaire' } },
        },
      },
    ],
    [
      'an approval in which nothing hides',
      input('APPROVAL', { arguments: { city: 'T\u202es\u0085' } }),
      {},
      { message: String.raw`Exécuter « move » avec {"city":"T\u202es\u0085"} ?` },
    ],
    [
      'a form of a server',
      mcpInput({ responseSchema }),
      { form: {} },
      { message: 'erp demande : Which?', requestedSchema: responseSchema },
    ],
    ['a page', page, { url: {} }, { mode: 'url', url: 'https://erp.example.org' }],
  ])('is %s', (_, asked, elicitation, params) => {
    expect(inputRequestsOf([asked], { elicitation }, words)).toMatchObject({
      [id]: { method: 'elicitation/create', params },
    });
  });

  it.each([
    ['by one that can ask nothing', input('QUESTION'), {}],
    ['as a page by one that has forms alone', page, { elicitation: { form: {} } }],
    ['in a form by one that has pages alone', input('QUESTION'), { elicitation: { url: {} } }],
    ['for what a front end carries out', input('CLIENT_SKILL'), { elicitation: {} }],
  ])('is nothing %s', (_, asked, capabilities) => {
    expect(inputRequestsOf([asked], capabilities, words)).toEqual({});
  });
});

it.each([
  [
    input('QUESTION'),
    { action: 'accept', content: { answer: 'Thiès' } },
    { question: { id, value: { answer: 'Thiès' } } },
  ],
  [input('QUESTION'), { action: 'decline' }, { question: { id, declined: true } }],
  [input('QUESTION'), { action: 'cancel' }, null],
  [input('QUESTION'), { answer: 'Thiès' }, null],
  [
    input('APPROVAL'),
    { action: 'accept', content: { approve: true, comment: 'Go.' } },
    { approval: { approvalId: id, approve: true, comment: 'Go.' } },
  ],
  [
    input('APPROVAL'),
    { action: 'accept', content: { approve: 'yes' } },
    { approval: { approvalId: id, approve: false, comment: null } },
  ],
  [input('APPROVAL'), { action: 'decline' }, { approval: { approvalId: id, approve: false, comment: null } }],
  [
    mcpInput({ responseSchema }),
    { action: 'accept', content: { region: 'east' } },
    { mcp: { id, value: { region: 'east' } } },
  ],
  [page, { action: 'accept' }, { mcp: { id, value: null } }],
  [input('CLIENT_SKILL'), { action: 'accept' }, null],
] as const)('takes what the user said: %#', (asked, given, answer) => {
  expect(answerOf(asked, given)).toEqual(answer);
});
