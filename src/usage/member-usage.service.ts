import { Injectable, type OnModuleInit } from '@nestjs/common';

import { MemberData } from '../companies/member-data/member-data.js';
import { NOBODY } from '../companies/member-data/nobody.js';
import { MemberUsageRepository } from './member-usage.repository.js';

/** What members used up: theirs to see, and the company's to pay, also when they are gone. */
@Injectable()
export class MemberUsage implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly usage: MemberUsageRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('usage', async (tx, memberId, after) => {
      const { days, next } = await this.usage.listDays(tx, memberId, after);
      return { items: days.map((day) => ({ ...day })), next };
    });
    this.data.onLeaving((tx, memberId) => this.usage.give(tx, memberId, NOBODY));
  }
}
