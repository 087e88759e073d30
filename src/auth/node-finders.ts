import { Injectable } from '@nestjs/common';

import { isId } from '../common/ids.js';
import type { Viewer } from './viewer.js';

/** The row of that id, as far as the viewer may see it; null: there is none. */
type FindNode = (viewer: Viewer, id: string) => Promise<object | null | undefined>;

/** Finds whatever an id is of. Ids do not say what they are of, so every kind is asked, each under its own rules. */
@Injectable()
export class NodeFinders {
  private readonly finders = new Map<string, FindNode>();

  /** To be called by the module of each GraphQL type that is a Node. */
  register(typename: string, find: FindNode): void {
    this.finders.set(typename, find);
  }

  /** With the name of its GraphQL type, by which `Node` is resolved. */
  async find(viewer: Viewer, id: string): Promise<object | null> {
    if (!isId(id)) return null;
    for (const [typename, find] of this.finders) {
      const found = await find(viewer, id);
      if (found) return Object.assign(found, { __typename: typename });
    }
    return null;
  }
}
