import type { Viewer } from '../../companies/auth/viewer.js';
import type { Message } from '../message.repository.js';
import type { SkillCall } from './skill-call.entity.js';
import type { Turn } from './turn.entity.js';

/** The content of a turn belongs to the member who asked. Admins only see that others' turns exist, and their cost. */
export function isHiddenFrom({ id }: Pick<Viewer, 'id'>, { memberId }: Pick<Turn, 'memberId'>): boolean {
  return memberId !== id;
}

/** The message without content and without links to other messages. */
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
