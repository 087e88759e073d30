/** The skill whose results the loop numbers for citations. */
export const RETRIEVE_DOCUMENTS = 'retrieve_documents';
export const ANALYZE_DOCUMENT = 'analyze_document';

/** The skills that are offered only if there are documents. */
export const documentSkillKeys: ReadonlySet<string> = new Set([RETRIEVE_DOCUMENTS, ANALYZE_DOCUMENT]);
