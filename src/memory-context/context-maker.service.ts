import { Injectable } from '@nestjs/common';

import { Calendar } from '../common/calendar.js';
import type { Transaction } from '../database/transaction.js';
import type { PreparedQuery } from '../search/search.js';
import { composeContext } from './compose-context.js';
import { ContextMaterial } from './material/context-material.service.js';
import { LineTokens } from './line-tokens.service.js';
import type { ContextRequest, MemoryContext } from './memory-context.js';

/** Makes contexts, whatever is known of them already. */
@Injectable()
export class ContextMaker {
  constructor(
    private readonly material: ContextMaterial,
    private readonly lines: LineTokens,
    private readonly calendar: Calendar,
  ) {}

  async make(tx: Transaction, request: ContextRequest, query: PreparedQuery): Promise<MemoryContext> {
    const material = await this.material.read(tx, request, query);
    const { language } = request.assistant;
    const count = (text: string): number => this.lines.count(text);
    return { ...composeContext(material, { language, calendar: this.calendar, count }), cached: false };
  }
}
