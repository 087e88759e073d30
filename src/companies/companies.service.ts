import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { checkInput } from '../common/check-input.js';
import { notFound } from '../common/domain-error.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { AuditService } from './audit.service.js';
import type { Company } from './company.entity.js';
import { CompanyChanges } from './company-input.js';
import { CompanyRepository } from './company.repository.js';

@Injectable()
export class CompaniesService {
  constructor(
    private readonly database: Database,
    private readonly companies: CompanyRepository,
    private readonly audit: AuditService,
  ) {}

  /** The viewer's company. */
  getOf(viewer: Pick<Viewer, 'companyId'>): Promise<Company> {
    return this.database.readAtOnce(viewer.companyId, (tx) => this.get(tx));
  }

  async get(tx: Transaction): Promise<Company> {
    const company = await this.companies.find(tx);
    if (!company) throw notFound('company');
    return company;
  }

  /** Changes what is given and leaves the rest. Rejects with BAD_USER_INPUT; whoever calls has checked the role. */
  update(by: Pick<Viewer, 'id' | 'companyId'>, input: unknown): Promise<Company> {
    const changes = checkInput(CompanyChanges, input);
    const { revenue, ...columns } = changes;
    const update: Partial<Company> = { ...columns };
    if (revenue !== undefined) {
      update.revenueAmount = revenue?.amount ?? null;
      update.revenueCurrency = revenue?.currency ?? null;
    }
    return this.database.transaction(by.companyId, async (tx) => {
      const changed = Object.keys(changes);
      if (changed.length > 0) {
        await this.companies.update(tx, update);
        await this.audit.record(tx, by.id, 'company.updated', by.companyId, { changed });
      }
      return this.get(tx);
    });
  }
}
