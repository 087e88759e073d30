import { Injectable } from '@nestjs/common';

import { checkInput } from '../../common/check-input.js';
import { differences } from '../../common/differences.js';
import { Database } from '../../platform/database/database.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { AuditService } from '../audit/audit.service.js';
import type { Viewer } from '../auth/viewer.js';
import { assistantChanged } from '../companies.events.js';
import { AssistantChanges } from './assistant-changes.js';
import type { Assistant } from './assistant.entity.js';
import { AssistantRepository } from './assistant.repository.js';
import { AssistantsService } from './assistants.service.js';

/** What admins set of an assistant, but for its prompt. */
@Injectable()
export class AssistantSettings {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly rows: AssistantRepository,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Changes the given fields, from the next turn on. Rejects with BAD_USER_INPUT or NOT_FOUND. The caller has checked
   * the role.
   */
  update(viewer: Viewer, key: string, input: unknown): Promise<Assistant> {
    const given = checkInput(AssistantChanges, input);
    return this.database.transaction(viewer.companyId, async (tx) => {
      const before = await this.assistants.getLocked(tx, key);
      const changes = differences(before, given);
      if (Object.keys(changes).length > 0) {
        await this.rows.update(tx, before.id, changes);
        await this.audit.recordChange(tx, viewer.id, 'assistant.updated', key, changes, before);
        await this.events.emit(tx, assistantChanged, { before, after: { ...before, ...changes } });
      }
      return { ...before, ...changes };
    });
  }
}
