import { Injectable } from '@nestjs/common';

import type { Viewer } from './auth/viewer.js';
import { checkInput } from '../common/check-input.js';
import { differences } from '../common/differences.js';
import { existing } from '../common/errors/domain-error.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { AuditService } from './audit/audit.service.js';
import { type Company, CompanyRepository } from './company.repository.js';
import { CompanyChanges } from './company-input.js';
import type { Money } from './company.model.js';

@Injectable()
export class CompaniesService {
  constructor(
    private readonly database: Database,
    private readonly companies: CompanyRepository,
    private readonly audit: AuditService,
  ) {}

  getOf(viewer: Pick<Viewer, 'companyId'>): Promise<Company> {
    return this.database.readAtOnce(viewer.companyId, (tx) => this.get(tx));
  }

  async get(tx: Transaction): Promise<Company> {
    return existing(await this.companies.find(tx, { id: tx.companyId }), 'company');
  }

  /** Changes the given fields. Rejects with BAD_USER_INPUT. The caller has checked the role. */
  update(by: Pick<Viewer, 'id' | 'companyId'>, input: unknown): Promise<Company> {
    const given = checkInput(CompanyChanges, input);
    return this.database.transaction(by.companyId, async (tx) => {
      const company = existing(await this.companies.lockOwn(tx), 'company');
      const before = profileOf(company);
      const changes = differences(before, given);
      if (Object.keys(changes).length > 0) {
        await this.companies.update(tx, { id: by.companyId }, columnsOf(changes));
        await this.audit.recordChange(tx, by.id, 'company.updated', by.companyId, changes, before);
      }
      return this.get(tx);
    });
  }
}

/** The company in the form of the input, to compare it with the changes. */
type Profile = Required<{ [Name in keyof CompanyChanges]: Exclude<CompanyChanges[Name], undefined> }>;

function profileOf(company: Company): Profile {
  const {
    id: _,
    slug: _slug,
    createdAt: _at,
    revenueAmount: _amount,
    revenueCurrency: _unit,
    ...profile
  } = company;
  return { ...profile, revenue: revenueOf(company) };
}

export function revenueOf({ revenueAmount: amount, revenueCurrency: currency }: Company): Money | null {
  return amount === null || currency === null ? null : { amount, currency };
}

function columnsOf({ revenue, ...columns }: Partial<Profile>): Partial<Company> {
  return revenue === undefined
    ? columns
    : { ...columns, revenueAmount: revenue?.amount ?? null, revenueCurrency: revenue?.currency ?? null };
}
