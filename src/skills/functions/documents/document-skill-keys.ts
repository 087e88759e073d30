/** What the loop of a turn has to tell from other skills: it numbers what this one finds, for the answer to cite. */
export const RETRIEVE_DOCUMENTS = 'retrieve_documents';
export const ANALYZE_DOCUMENT = 'analyze_document';

/** The skills that are offered only where there are documents. */
export const documentSkillKeys: ReadonlySet<string> = new Set([RETRIEVE_DOCUMENTS, ANALYZE_DOCUMENT]);
