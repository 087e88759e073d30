import type { z } from 'zod';

import { checkInput } from '../common/check-input.js';
import { DomainError } from '../common/errors/domain-error.js';
import { newId } from '../common/ids.js';
import { isUniqueViolation } from '../platform/database/connection-failure.js';
import type { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { CompanyCreation } from './company-input.js';
import { type Company, CompanyRepository } from './company.repository.js';
import { CompanyErasureRepository } from './company-erasure.repository.js';

/** Not injected: companies are also created by a terminal command, and before the application starts. */
const companies = new CompanyRepository();
const erasures = new CompanyErasureRepository();

type CreatedCompany = Pick<Company, 'id' | 'slug' | 'name'>;

/** Creates a company. Rejects with CONFLICT when the slug is taken, with BAD_USER_INPUT when a value is not valid. */
export async function createCompany(
  database: Database,
  input: z.input<typeof CompanyCreation>,
): Promise<CreatedCompany> {
  const company = checkInput(CompanyCreation, input, []);
  try {
    return await database.systemTransaction((tx) => add(tx, company));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', `There is already a company with the slug ${company.slug}.`);
  }
}

const DEMO = 'demo';

/**
 * Creates the company `demo` in a new installation. Resolves to its slug, or to that of another company where `demo`
 * does not exist.
 */
export function ensureFirstCompany(database: Database): Promise<string> {
  return database.systemTransaction(async (tx) => {
    await companies.addUnlessAny(tx, { id: newId(), slug: DEMO, name: 'Demo' });
    return (await companies.findSlug(tx, DEMO)) ?? DEMO;
  });
}

async function add(tx: Transaction, company: z.output<typeof CompanyCreation>): Promise<CreatedCompany> {
  if (await erasures.find(tx, { slug: company.slug })) {
    throw new DomainError(
      'CONFLICT',
      `A company with the slug ${company.slug} was erased, and its tokens may still be around: choose another one.`,
    );
  }
  const { slug, name, country = null, language = 'fr', sector = null } = company;
  const id = newId();
  await companies.insert(tx, { id, slug, name, country, language, sector });
  return { id, slug, name };
}
