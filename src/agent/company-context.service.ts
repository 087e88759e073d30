import { Injectable } from '@nestjs/common';

import type { Assistant } from '../companies/assistants/assistant.repository.js';
import { PromptsService } from '../companies/assistants/prompts.service.js';
import { Calendar } from '../common/calendar.js';
import { CompaniesService } from '../companies/companies.service.js';
import type { Company } from '../companies/company.repository.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { Quotas } from '../companies/usage/quotas.service.js';

/** Facts that do not depend on the conversation. */
interface CompanyFacts {
  company: Company;
  assistant: Assistant;
  template: string;
  hasQuotas: boolean;
  /** The local time of `now`: see Calendar. */
  today: Date;
}

@Injectable()
export class CompanyContext {
  constructor(
    private readonly companies: CompaniesService,
    private readonly prompts: PromptsService,
    private readonly quotas: Quotas,
    private readonly calendar: Calendar,
  ) {}

  async read(tx: Transaction, assistantId: string, now: Date): Promise<CompanyFacts> {
    const [company, answering, hasQuotas] = await awaitAll([
      this.companies.get(tx),
      this.prompts.getWithTemplate(tx, assistantId),
      this.quotas.exist(tx),
    ]);
    return { company, ...answering, hasQuotas, today: this.calendar.shown(now) };
  }
}
