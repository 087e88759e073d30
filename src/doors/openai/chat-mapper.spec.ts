import { wordingIn } from '../../common/wording/wording.js';
import type { TurnEvent } from '../../conversations/turns/turn-event.js';
import { failedTurn } from '../turn-events.double.js';
import { ChatMapper } from './chat-mapper.js';

it('says what a turn waits for in the words of its assistant', async () => {
  const mapper = new ChatMapper(
    { id: 'c', createdAt: new Date(0), model: 'm' },
    false,
    async () => wordingIn('zh-TW').doors,
  );
  const event: TurnEvent = {
    turnId: 't',
    sequence: 1,
    at: new Date(0),
    type: 'approval-requested',
    approval: {
      id: 'a',
      turnId: 't',
      kind: 'APPROVAL',
      status: 'PENDING',
      skill: 'move',
      arguments: {},
      reason: null,
      expiresAt: '',
      callId: 'c',
    },
  };
  await mapper.take(event, 0);
  expect(mapper.completion).toMatchObject({
    choices: [{ message: { content: '我在等人允許或拒絕「move」。' } }],
  });
});

it('says in the language of its assistant that a turn failed without an error', async () => {
  const facts = { id: 'c', createdAt: new Date(0), model: 'm' };
  const mapper = new ChatMapper(facts, false, async () => wordingIn('fr').doors);
  await mapper.take(failedTurn, 0);
  expect(mapper.failure?.message).toBe('La demande a échoué.');
});
