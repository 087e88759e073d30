import { DocumentRefused } from '../../parsed-document.js';
import { brokenOff, type Lost } from './lost.js';

/** What comes before the place where a part turns out to be broken. That is told; where nothing came, it is thrown. */
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
