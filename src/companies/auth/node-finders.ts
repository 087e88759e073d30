import { Injectable } from '@nestjs/common';

import { isId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Viewer } from './viewer.js';

/** The row of that id; null: there is none that the viewer may see. */
type FindNode = (viewer: Viewer, id: string) => Promise<object | null | undefined>;

/** Finds the row of any id. Ids do not name their type, so every registered finder is asked in turn. */
@Injectable()
export class NodeFinders {
  private readonly finders = new Map<string, FindNode>();

  constructor(private readonly database: Database) {}

  /** Called by the module of each GraphQL type that is a Node. A row of several types says its own `__typename`. */
  register(typename: string, find: FindNode): void {
    this.finders.set(typename, find);
  }

  /** Registers the rows of a repository that are for admins: to members they do not exist. */
  registerForAdmins<Row extends object>(
    typename: string,
    rows: { find: (tx: Transaction, key: { id: string }) => Promise<Row | null> },
  ): void {
    this.register(typename, async ({ companyId, role }, id) =>
      role === 'MEMBER' ? null : this.database.read(companyId, (tx) => rows.find(tx, { id })),
    );
  }

  /** Adds `__typename` to the row, by which `Node` is resolved. */
  async find(viewer: Viewer, id: string): Promise<object | null> {
    if (!isId(id)) return null;
    for (const [typename, find] of this.finders) {
      const found = await find(viewer, id);
      if (found) return '__typename' in found ? found : Object.assign(found, { __typename: typename });
    }
    return null;
  }
}
