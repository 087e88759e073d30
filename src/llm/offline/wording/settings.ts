/** The settings that connect a language model. */
export const settings = 'LLM_BASE_URL, LLM_API_KEY, LLM_MODEL';
