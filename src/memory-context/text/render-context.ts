import { withoutEndOf, withoutHidden } from '../../common/text/data-text.js';
import type { ContextItem, ContextSection } from '../memory-context.js';
import { contextSections } from '../memory-context.js';
import type { ContextLabels } from './context-labels.js';
import { MEMORY_ELEMENT } from './memory-line.js';

export type PlacedItem = Pick<ContextItem, 'section' | 'memory' | 'text'>;

/** What stands before the items and behind them, however many there are. */
export const frameOf = ({ introduction }: ContextLabels): readonly [begin: string, end: string] => [
  `<${MEMORY_ELEMENT}>\n${introduction}`,
  `</${MEMORY_ELEMENT}>`,
];

/** An excerpt of what people said, in which nothing ends the context that it stands in. */
export const safeExcerpt = (text: string): string =>
  withoutEndOf(MEMORY_ELEMENT, withoutHidden(text.toWellFormed()));

/**
 * The text of a context, in marks that tell it from what anybody says now; empty when there is nothing to tell. The
 * same items give the same text in whatever order they come: what is new comes last in its section, so that a prefix
 * that a provider has kept stays good for as long as possible.
 */
export const renderContext = (items: readonly PlacedItem[], labels: ContextLabels): string => {
  if (items.length === 0) return '';
  const [begin, end] = frameOf(labels);
  const sections = contextSections.flatMap((section) => {
    const told = inOrder(items, section);
    return told.length === 0 ? [] : [labels.headings[section], ...told.map(({ text }) => text)];
  });
  return [begin, ...sections, end].join('\n');
};

/** By age. Excerpts come in the order of what was said. */
export const inOrder = <Item extends PlacedItem>(items: readonly Item[], section: ContextSection): Item[] => {
  const told = items.filter((item) => item.section === section);
  // Ids of versions tell the order in which they were noted.
  return section === 'CONVERSATION' ? told : told.toSorted((a, b) => compare(idOf(a), idOf(b)));
};

const idOf = ({ memory }: PlacedItem): string => memory?.id ?? '';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
