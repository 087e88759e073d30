import { wordingIn } from '../common/wording/wording.js';
import { TurnFollower } from './turn-follower.service.js';

const turn = { conversationId: 'k', assistantId: null };

function followerWith(find: () => Promise<{ assistantId: string }>): TurnFollower {
  const assistants = { findMany: async () => [{ language: 'fr' }] };
  return new TurnFollower({} as never, {} as never, { find } as never, assistants as never);
}

it('reads the language of texts once, when the first is needed', async () => {
  const find = vi.fn<() => Promise<{ assistantId: string }>>(async () => ({ assistantId: 'a' }));
  const wording = followerWith(find).wordingOf({} as never, turn);
  expect(find).not.toHaveBeenCalled();
  expect(await wording()).toBe(wordingIn('fr').doors);
  await wording();
  expect(find).toHaveBeenCalledOnce();
});

it('has English texts while the database is away', async () => {
  const follower = followerWith(async () => {
    throw new Error('The database is away.');
  });
  expect(await follower.wordingOf({} as never, turn)()).toBe(wordingIn('en').doors);
});
