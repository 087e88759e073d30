import { newId } from '../src/common/ids.js';
import { encodeCursor, type PagedList, pageRequest } from '../src/common/schema/page.js';
import { apiKeyOrder } from '../src/companies/api-keys/api-key.repository.js';
import { auditEntryOrder } from '../src/companies/audit/audit.repository.js';
import { memberOrder } from '../src/companies/members/member.repository.js';
import { conversationOrder, messageOrder } from '../src/conversations/conversation-list.repository.js';
import { documentOrder } from '../src/documents/document.repository.js';
import { storedFileOrder } from '../src/companies/files/stored-file.repository.js';
import { memoryOrder } from '../src/memory/seen-memory.repository.js';
import { notificationOrder } from '../src/companies/notifications/notification.repository.js';

const id = newId();
const at = '2026-01-15T09:00:00.000Z';

/** What is in the cursors that clients have kept. */
const kept: [name: string, key: string[], list: PagedList][] = [
  ['api-keys', [id], apiKeyOrder],
  ['audit-entries', [id], auditEntryOrder],
  ['conversations', [at, id], conversationOrder],
  ['documents', [id], documentOrder],
  ['files', [id], storedFileOrder],
  ['members', [id], memberOrder],
  ['memories', [id], memoryOrder],
  ['messages', [id], messageOrder],
  ['notifications', [id], notificationOrder],
];

it.each(kept)('reads the cursors of %s that were given before', (name, key, list) => {
  expect(pageRequest({ after: encodeCursor(name, key) }, list).after).toEqual(key);
  expect(list.list).toBe(name);
});
