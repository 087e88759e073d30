import type { JsonObject } from '@palabre/plugin';
import type { EsgIndicatorResult, EsgScore } from './esg-score.js';

/** How many of each list a model is shown: what a person can take in at once. */
const mostShown = 5;

function codesInShort({ codes: { vsme, gri, ifc, iso26000, sdg } }: EsgIndicatorResult): string {
  return [
    ...(vsme.length > 0 ? [`VSME ${[...new Set(vsme.map(({ code }) => code))].join(', ')}`] : []),
    ...(gri.length > 0 ? [`GRI ${gri.join(', ')}`] : []),
    ...(ifc.length > 0 ? [`IFC ${ifc.join(', ')}`] : []),
    ...(iso26000.length > 0 ? [`ISO 26000 ${iso26000.join(', ')}`] : []),
    ...(sdg.length > 0 ? [`SDG ${sdg.join(', ')}`] : []),
  ].join('; ');
}

/**
 * The same for a model: what matters most first, and of every list only the beginning; of the open questions all those
 * of the pillar `questions`, where one is asked for.
 */
export function shortenScore(full: EsgScore, questions: EsgIndicatorResult['pillar'] | null): JsonObject {
  const byId = new Map(full.indicators.map((each) => [each.id, each]));
  const shown = (id: string): JsonObject => {
    const each = byId.get(id);
    return each ? { id, title: each.title, score: each.score, codes: codesInShort(each) } : { id };
  };
  const parts = (list: readonly { score: number | null; coverage: number }[], keys: readonly string[]) =>
    Object.fromEntries(list.map(({ score, coverage }, index) => [keys[index] ?? '', { score, coverage }]));
  const wanted =
    questions === null
      ? full.nextQuestions.slice(0, mostShown)
      : full.nextQuestions.filter(({ indicator }) => byId.get(indicator)?.pillar === questions);
  const begun = full.topics.filter(({ score }) => score !== null);
  return {
    summary: full.summary,
    score: full.score,
    grade: full.grade,
    coverage: full.coverage,
    sector: full.sector.id,
    pillars: parts(
      full.pillars,
      full.pillars.map(({ id }) => id),
    ),
    topics: Object.fromEntries(begun.map(({ pillar, id, score }) => [`${pillar} ${id}`, score])),
    nextQuestions: wanted.map(({ indicator, question, expected }) => ({ id: indicator, question, expected })),
    notAnswered: full.nextQuestions.length,
    strengths: full.strengths.slice(0, mostShown).map(({ indicator }) => shown(indicator)),
    weaknesses: full.weaknesses
      .slice(0, mostShown)
      .map(({ indicator, nextAction }) => ({ ...shown(indicator), nextAction })),
    notes: full.notes.map(({ text }) => text),
    dataVersion: full.dataVersion,
  };
}
