import { newId } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import type { Conversation } from './conversation.repository.js';
import { titleOf } from './title.js';

/** One that begins with this question, to be stored. */
export function newConversation(
  viewer: Viewer,
  assistantId: string,
  firstQuestion: string,
  id = newId(),
): Conversation {
  const now = new Date();
  return {
    companyId: viewer.companyId,
    id,
    memberId: viewer.id,
    assistantId,
    title: titleOf(firstQuestion),
    titledByMember: false,
    archived: false,
    pinned: false,
    shownBranchId: id,
    activeProjectId: null,
    indexedUntil: null,
    createdAt: now,
    updatedAt: now,
  };
}
