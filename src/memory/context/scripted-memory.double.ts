import { newId } from '../../common/ids.js';
import type { Memory } from '../memory.entity.js';

/** A memory in force for tests, owned by `awa`. Later ones have larger ids. */
export function scriptedMemory(changes: Partial<Memory> = {}): Memory {
  const id = newId();
  return {
    companyId: 'nord',
    id,
    lineageId: changes.id ?? id,
    ownerId: 'awa',
    kind: 'FACT',
    subject: 'Move',
    subjectKey: 'move',
    content: 'planned for June',
    attributes: {},
    source: 'MEMBER',
    createdBy: 'awa',
    sourceMessageId: null,
    validFrom: new Date('2026-05-03T10:00:00Z'),
    supersededBy: null,
    supersededAt: null,
    createdAt: new Date('2026-05-03T10:00:00Z'),
    ...changes,
  };
}
