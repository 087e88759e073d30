import { deletionOrder } from './company-erasure.service.js';

const ofMessages = { child: 'message', parent: 'conversation' };
const ofConversations = { child: 'conversation', parent: 'member' };

it('deletes from referring tables first', () => {
  const references = [ofMessages, ofConversations, { child: 'elsewhere', parent: 'message' }];
  expect(deletionOrder(['member', 'conversation', 'message', 'quota'], references)).toEqual([
    'message',
    'quota',
    'conversation',
    'member',
  ]);
});

it('terminates when tables refer to each other', () => {
  const back = { child: 'conversation', parent: 'message' };
  expect(deletionOrder(['conversation', 'member', 'message'], [ofMessages, ofConversations, back])).toEqual([
    'conversation',
    'member',
    'message',
  ]);
});
