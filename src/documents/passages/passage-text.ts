import type { SearchScope } from '../../search/search.js';
import type { Passage } from './passage.entity.js';

/** What is searched together: all passages of a company. */
export const passageScope: SearchScope = { collection: 'PASSAGE', ownerId: null };

/** What a passage is found by: the headings that it stands below, as far as it does not hold them itself, and its text. */
export const searchedText = ({ headings, text }: Pick<Passage, 'headings' | 'text'>): string =>
  [...headings.filter((heading) => !text.includes(heading)), text].join('\n');
