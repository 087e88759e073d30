import type { SearchScope } from '../../search/search.js';
import type { Message } from '../message.entity.js';

/** What is searched together: all that was said in one member's conversations. */
export const messageScopeOf = (memberId: string): SearchScope => ({
  collection: 'MESSAGE',
  ownerId: memberId,
});

/** A message as it is searched: people are asked about by their names. */
export const searchedText = ({ author, text }: Pick<Message, 'author' | 'text'>): string =>
  author === null ? text : `${author}: ${text}`;
