import { Injectable } from '@nestjs/common';

import { isId } from '../../common/ids.js';
import type { Viewer } from './viewer.js';

/** The row of that id; null: there is none that the viewer may see. */
type FindNode = (viewer: Viewer, id: string) => Promise<object | null | undefined>;

/** Finds the row of any id. Ids do not name their type, so every registered finder is asked in turn. */
@Injectable()
export class NodeFinders {
  private readonly finders = new Map<string, FindNode>();

  /** Called by the module of each GraphQL type that is a Node. A row of several types says its own `__typename`. */
  register(typename: string, find: FindNode): void {
    this.finders.set(typename, find);
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
