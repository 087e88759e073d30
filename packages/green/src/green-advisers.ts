/** The assistants that advise on ESG and green finance. For others these skills would only fill the prompt. */
export const greenAdvisers = ['mefali', 'explorateur'] as const;
