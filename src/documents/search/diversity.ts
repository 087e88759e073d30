/** How many of `limit` places one document may take, as long as others are relevant. */
function mostOfOne(limit: number): number {
  return Math.max(1, limit < 3 ? limit : Math.ceil(limit * 0.6) + (limit < 8 ? 1 : 0));
}

/** Another document's hit takes the place if it has at least this share of the replaced one's relevance. */
const NEARLY = 0.6;

export interface Placed {
  documentId: string;
  relevance: number;
}

/** The first `limit` hits, best first. One document gets only a share of them if others are nearly as good. */
export function spread<Thing extends Placed>(ranked: readonly Thing[], limit: number): Thing[] {
  const chosen = ranked.slice(0, limit);
  const most = mostOfOne(limit);
  for (const candidate of ranked.slice(limit)) {
    const counts = countsOf(chosen);
    if ((counts.get(candidate.documentId) ?? 0) >= most) continue;
    const at = chosen.findLastIndex(({ documentId }) => (counts.get(documentId) ?? 0) > most);
    const given = chosen[at];
    if (!given) break;
    if (candidate.relevance < NEARLY * given.relevance) continue;
    chosen.splice(at, 1);
    chosen.push(candidate);
  }
  return chosen;
}

function countsOf(things: readonly Placed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { documentId } of things) counts.set(documentId, (counts.get(documentId) ?? 0) + 1);
  return counts;
}
