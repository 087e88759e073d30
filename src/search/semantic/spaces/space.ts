/** Where vectors can be compared with each other: those of one model and one length. */
export interface Space {
  id: number;
  dimensions: number;
}

/** What the index of a space's vectors is called. There is one only where some scope is large. */
export const vectorIndexOf = (spaceId: number | string): string => `search_vector_space_${spaceId}`;
