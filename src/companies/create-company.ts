import type { z } from 'zod';

import { checkInput } from '../common/check-input.js';
import { DomainError } from '../common/errors/domain-error.js';
import { newId } from '../common/ids.js';
import { isUniqueViolation } from '../database/connection-failure.js';
import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { CompanyCreation } from './company-input.js';
import { CompanyRepository } from './company.repository.js';

/** Of its own: a company is made by a command and ahead of the application too. */
const companies = new CompanyRepository();

export interface CreatedCompany {
  id: string;
  slug: string;
  name: string;
}

/** Makes a company. Rejects with CONFLICT when the slug is taken, with BAD_USER_INPUT when a value is not valid. */
export const createCompany = async (
  database: Database,
  input: z.input<typeof CompanyCreation>,
): Promise<CreatedCompany> => {
  const company = checkInput(CompanyCreation, input, []);
  try {
    return await database.systemTransaction((tx) => add(tx, company));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', `There is already a company with the slug ${company.slug}.`);
  }
};

/** Gives a new installation a company to begin with, so that there is somebody to talk to. */
export const ensureFirstCompany = (database: Database): Promise<void> =>
  database.systemTransaction((tx) => companies.addUnlessAny(tx, { id: newId(), slug: 'demo', name: 'Demo' }));

const add = async (tx: Transaction, company: z.output<typeof CompanyCreation>): Promise<CreatedCompany> => {
  const id = newId();
  await companies.add(tx, { ...company, id });
  return { id, slug: company.slug, name: company.name };
};
