import type { Viewer } from '../../companies/auth/viewer.js';
import type { Message } from '../message.repository.js';
import type { SkillCall } from './skill-call.entity.js';
import type { Turn } from './turn.entity.js';

/** What was said in a turn is its asker's: admins see of others' turns that they are there, and what they cost. */
export function isHiddenFrom({ id }: Pick<Viewer, 'id'>, { memberId }: Pick<Turn, 'memberId'>): boolean {
  return memberId !== id;
}

/** The message without what was said, and without what leads to other messages. */
export function hiddenMessage(message: Message): Message {
  return {
    ...message,
    text: '',
    parts: null,
    attachmentIds: null,
    citations: [],
    author: null,
    turnId: null,
    hidden: true,
  };
}

export function hiddenCall(call: SkillCall): SkillCall {
  return { ...call, arguments: {}, resultPreview: null, hidden: true };
}
