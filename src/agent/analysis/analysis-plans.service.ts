import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { AnalysisPiece } from '../../documents/analysis/analysis.repository.js';
import { AnalysisWork, type ClaimedAnalysis } from '../../documents/analysis/analysis-work.service.js';
import { PassageIndex } from '../../documents/passages/passage-index.service.js';
import { Database } from '../../platform/database/database.js';
import { AgentModels } from '../agent-models.service.js';

const MAX_PIECES = 200;
/** The most text of a document in a call: few calls suffice, and several indicators on a page are still found. */
const MAX_PIECE_TOKENS = 6_000;
const MIN_PIECE_TOKENS = 1_000;
/** Room for instructions, indicators and the answer. */
const RESERVED_TOKENS = 7_500;
const PASSAGES_AT_A_TIME = 500;
/** The most summaries that are combined at once. */
const MAX_DIGESTED = 15;

@Injectable()
export class AnalysisPlans {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly models: AgentModels,
    private readonly passages: PassageIndex,
    private readonly work: AnalysisWork,
  ) {}

  /** The pieces of a level, planned on first use. `below`: the pieces of the level below. Empty: there is no text. */
  async piecesOf(
    claimed: ClaimedAnalysis,
    level: number,
    below: readonly AnalysisPiece[],
  ): Promise<AnalysisPiece[]> {
    const planned = claimed.pieces.filter((piece) => piece.level === level);
    if (planned.length > 0) return planned;
    if (level === 0) return this.planReading(claimed);
    const parts = rowsOf(
      below.map(() => 1),
      MAX_DIGESTED,
    );
    return this.work.plan(claimed.analysis, level, parts);
  }

  private async planReading({ analysis, payer }: ClaimedAnalysis): Promise<AnalysisPiece[]> {
    const { companyId, contentId } = analysis;
    const assistant = await this.database.transaction(companyId, (tx) =>
      this.assistants.findByKey(tx, payer.assistant),
    );
    const models = await this.models.of(companyId, assistant?.model ?? null);
    const { windowTokens } = models.abilitiesOf(models.first);
    const room = Math.floor((windowTokens - RESERVED_TOKENS) / 2);
    const most = Math.min(MAX_PIECE_TOKENS, Math.max(MIN_PIECE_TOKENS, room));
    // Text beyond the limit is reported as unread.
    const parts = rowsOf(await this.listSizes(companyId, contentId), most).slice(0, MAX_PIECES);
    return parts.length === 0 ? [] : this.work.plan(analysis, 0, parts);
  }

  /** Tokens by passage ordinal. */
  private async listSizes(companyId: string, contentId: string): Promise<number[]> {
    const sizes: number[] = [];
    for (;;) {
      const from = sizes.length;
      const passages = await this.database.read(companyId, (tx) =>
        this.passages.list(tx, contentId, from, PASSAGES_AT_A_TIME),
      );
      sizes.push(...passages.map(({ tokens }) => tokens));
      if (passages.length < PASSAGES_AT_A_TIME) return sizes;
    }
  }
}

interface Span {
  first: number;
  last: number;
}

/** Groups of at most `most`, unless a single item is larger. Numbers count from 0. */
export function rowsOf(sizes: readonly number[], most: number): Span[] {
  const rows: Span[] = [];
  let size = 0;
  for (const [number, each] of sizes.entries()) {
    const row = rows.at(-1);
    if (row && size + each <= most) {
      row.last = number;
      size += each;
    } else {
      rows.push({ first: number, last: number });
      size = each;
    }
  }
  return rows;
}
