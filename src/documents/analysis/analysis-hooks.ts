import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import type { AnalysisRequest } from './analysis-request.entity.js';
import type { DocumentAnalysis } from './document-analysis.entity.js';

/** How an analysis has ended. */
export type EndedAnalysis = Pick<DocumentAnalysis, 'result' | 'failure'>;

type Ended = (tx: Transaction, analysis: EndedAnalysis, waiting: readonly AnalysisRequest[]) => Promise<void>;

/** The way up to those who tell members what has become of an analysis, inside the transaction that ends it. */
@Injectable()
export class AnalysisHooks {
  private readonly handlers: Ended[] = [];

  /** `waiting`: each member who is to be told once, by the latest request. */
  onEnded(handler: Ended): void {
    this.handlers.push(handler);
  }

  async ended(tx: Transaction, analysis: EndedAnalysis, requests: readonly AnalysisRequest[]): Promise<void> {
    const toTell = requests.filter(({ isToTell }) => isToTell);
    const waiting = [...new Map(toTell.map((request) => [request.memberId, request])).values()];
    if (waiting.length === 0) return;
    for (const handler of this.handlers) await handler(tx, analysis, waiting);
  }
}
