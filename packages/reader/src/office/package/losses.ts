import { DocumentRefused } from '../../parsed-document.js';

const MAX_WARNINGS = 20;

/** Collects what is lost or doubtful in a file, for the warnings at the end. */
export class Losses {
  private readonly texts = new Set<string>();
  private readonly counts = new Map<(count: number) => string, number>();

  /** Repetitions are dropped. */
  add(text: string): void {
    if (this.texts.size < MAX_WARNINGS) this.texts.add(text);
  }

  /** Counts occurrences. `inWords` identifies the kind, so pass the same function each time. */
  count(inWords: (count: number) => string, more = 1): void {
    this.counts.set(inWords, (this.counts.get(inWords) ?? 0) + more);
  }

  warnings(): string[] {
    const counted = [...this.counts].filter(([, count]) => count > 0);
    return [...counted.map(([inWords, count]) => inWords(count)), ...this.texts].slice(0, MAX_WARNINGS);
  }
}

/** "1 picture", "2 pictures". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function picturesLeftOut(count: number): string {
  return `${counted(count, 'picture')} left out: what is written in a picture has to be recognised first (OCR).`;
}

export function commentsLeftOut(count: number): string {
  return `${counted(count, 'comment')} left out: comments are not read.`;
}

export function hiddenSheets(count: number): string {
  return `${counted(count, 'hidden sheet')} read like the others.`;
}

export function hiddenSlides(count: number): string {
  return `${counted(count, 'hidden slide')} read like the others.`;
}

export function slidesWithoutText(count: number): string {
  return `${counted(count, 'slide')} without text.`;
}

export const contentsLeftOut = 'The table of contents was left out: headings say what it says.';

export const objectsLeftOut = 'Embedded objects were left out: upload them as files of their own.';

export const formLeftOut =
  'What is filled into a form was left out: print the file to a PDF and upload that as well.';

export const brokenOff = 'The file is damaged: what comes after the last text that could be read is missing.';

/** Yields what precedes a damaged place, and adds a warning. Throws if nothing precedes it. */
export function* untilBroken<Item>(items: Iterable<Item>, losses: Losses): Generator<Item> {
  let hasCome = false;
  try {
    for (const item of items) {
      hasCome = true;
      yield item;
    }
  } catch (error) {
    if (!hasCome || error instanceof DocumentRefused) throw error;
    losses.add(brokenOff);
  }
}
