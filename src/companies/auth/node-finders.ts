import { Injectable } from '@nestjs/common';

import { isId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Viewer } from './viewer.js';

/** The row of that id. Null: none that the viewer may see. */
type FindNode = (viewer: Viewer, id: string) => Promise<object | null | undefined>;

interface Finder {
  typenames: readonly string[];
  find: FindNode;
}

/** Finds the row of any id. Ids do not name their type, so every registered finder is asked in turn. */
@Injectable()
export class NodeFinders {
  private readonly finders: Finder[] = [];

  constructor(private readonly database: Database) {}

  /** Called by the module of each GraphQL type that is a Node. A row of several types has its own `__typename`. */
  register(typenames: string | readonly string[], find: FindNode): void {
    this.finders.push({ typenames: [typenames].flat(), find });
  }

  /** Registers the rows of a repository that only admins can see. */
  registerForAdmins<Row extends object>(
    typename: string,
    rows: { find: (tx: Transaction, key: { id: string }) => Promise<Row | null> },
  ): void {
    this.register(typename, async ({ companyId, role }, id) =>
      role === 'MEMBER' ? null : this.database.read(companyId, (tx) => rows.find(tx, { id })),
    );
  }

  find(viewer: Viewer, id: string): Promise<object | null> {
    return this.findAmong(this.finders, viewer, id);
  }

  /** As `find`, where the type is known. */
  findOf(typename: unknown, viewer: Viewer, id: string): Promise<object | null> {
    const ofType = this.finders.filter(({ typenames }) => typenames.some((one) => one === typename));
    return this.findAmong(ofType, viewer, id);
  }

  /** Adds `__typename`, which resolves the type of `Node`. */
  private async findAmong(finders: readonly Finder[], viewer: Viewer, id: string): Promise<object | null> {
    if (!isId(id)) return null;
    for (const { typenames, find } of finders) {
      const found = await find(viewer, id);
      if (found) return '__typename' in found ? found : Object.assign(found, { __typename: typenames[0] });
    }
    return null;
  }
}
