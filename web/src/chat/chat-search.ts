/** What the address of the chat says besides the conversation. */
export interface ChatSearch {
  /** Words that the listed conversations are to have. */
  find?: string;
  /** Whether those that were put away are listed. */
  archived?: true;
}

export function searchOfChat({ find, archived }: Record<string, unknown>): ChatSearch {
  return {
    ...(typeof find === 'string' && find !== '' && { find }),
    ...(archived === true && { archived }),
  };
}
