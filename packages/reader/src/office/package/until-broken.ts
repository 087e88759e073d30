import { DocumentRefused } from '../../parsed-document.js';
import { brokenOff, type Lost } from './lost.js';

/** Yields what precedes a damaged place, and adds a warning. Throws if nothing precedes it. */
export function* untilBroken<Item>(items: Iterable<Item>, lost: Lost): Generator<Item> {
  let hasCome = false;
  try {
    for (const item of items) {
      hasCome = true;
      yield item;
    }
  } catch (error) {
    if (!hasCome || error instanceof DocumentRefused) throw error;
    lost.tell(brokenOff);
  }
}
