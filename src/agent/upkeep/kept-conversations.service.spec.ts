import type { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { notFound } from '../../common/errors/domain-error.js';
import type { ConversationsService } from '../../conversations/conversations.service.js';
import type { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { KeptConversations } from './kept-conversations.service.js';

it('finds nothing in a conversation that is deleted meanwhile', async () => {
  const turns = { find: async () => ({ id: 't', memberId: 'm', conversationId: 'c' }) };
  const conversations = {
    findOwned: async () => null,
    get: () => Promise.reject(notFound('conversation')),
  };
  const kept = new KeptConversations(
    turns as unknown as TurnClaims,
    conversations as unknown as ConversationsService,
    {} as AssistantsService,
  );
  expect(await kept.find({} as Transaction, 't')).toBeNull();
});
