import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../assistants/assistants.service.js';
import type { Viewer } from '../auth/viewer.js';
import { isId } from '../common/ids.js';
import { CompaniesService } from '../companies/companies.service.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { SkillsService } from '../skills/skills.service.js';
import { TurnsService } from '../turns/turns.service.js';

/** A row with the name of its GraphQL type, by which `Node` is resolved. */
const as = <Row extends object>(
  typename: string,
  row: Row | null | undefined,
): (Row & { __typename: string }) | null => (row ? Object.assign(row, { __typename: typename }) : null);

/** Finds whatever an id is of. Ids do not say what they are of, so every kind is asked, each under its own rules. */
@Injectable()
export class NodesService {
  private readonly finders: ((viewer: Viewer, id: string) => Promise<object | null>)[];

  constructor(
    companies: CompaniesService,
    assistants: AssistantsService,
    conversations: ConversationsService,
    turns: TurnsService,
    skills: SkillsService,
  ) {
    this.finders = [
      async (viewer, id) => as('Conversation', await conversations.find(viewer, id)),
      async (viewer, id) => as('Turn', await turns.find(viewer, id)),
      async (viewer, id) => as('Message', await conversations.findMessage(viewer, id)),
      async (viewer, id) => as('Assistant', (await assistants.findMany(viewer, [id]))[0]),
      async (viewer, id) =>
        as(
          'Skill',
          (await skills.list(viewer)).find((skill) => skill.id === id),
        ),
      async (viewer, id) => as('Company', id === viewer.companyId ? await companies.getOf(viewer) : null),
    ];
  }

  async find(viewer: Viewer, id: string): Promise<object | null> {
    if (!isId(id)) return null;
    for (const find of this.finders) {
      const found = await find(viewer, id);
      if (found) return found;
    }
    return null;
  }
}
