import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { wordingIn } from '../../common/wording/wording.js';
import { resumeAnswer } from './ag-ui-input.js';

it('tells of a cancelled call of the client in the words of the assistant', () => {
  const input = { id: 'i', kind: 'CLIENT_SKILL' } as PendingInput;
  const entry = { interruptId: 'i', status: 'cancelled' } as const;
  expect(resumeAnswer(input, entry, [], wordingIn('es').doors).answer).toEqual({
    clientSkill: { id: 'i', error: 'La petición se ha cancelado.' },
  });
});
