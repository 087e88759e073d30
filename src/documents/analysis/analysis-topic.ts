/** A topic for each analysis: whoever waits for it is woken by what is done of it. */
export const analysisTopic = (analysisId: string): string => `analysis.${analysisId}`;
