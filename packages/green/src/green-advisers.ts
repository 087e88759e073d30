/** Who advises on ESG and green finance: to all other assistants these skills would only be words in their prompts. */
export const greenAdvisers = ['mefali', 'explorateur'] as const;
