import type { z } from 'zod';

import { checkInput } from '../common/check-input.js';
import { DomainError } from '../common/domain-error.js';
import { newId } from '../common/ids.js';
import { sqlStateOf } from '../database/connection-failure.js';
import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { CompanyCreation } from './company-input.js';

const UNIQUE_VIOLATION = '23505';

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
    return await database.systemTransaction((tx) => insert(tx, company));
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new DomainError('CONFLICT', `There is already a company with the slug ${company.slug}.`);
  }
};

/** Gives a new installation a company to begin with, so that there is somebody to talk to. */
export const ensureFirstCompany = async (database: Database): Promise<void> => {
  // Replicas that start together all find none; the slug's index lets one of them through.
  await database.systemTransaction((tx) =>
    tx.query(
      `INSERT INTO company (id, slug, name) SELECT $1, 'demo', 'Demo' WHERE NOT EXISTS (SELECT FROM company)
       ON CONFLICT (slug) DO NOTHING`,
      [newId()],
    ),
  );
};

const insert = async (
  tx: Transaction,
  company: z.output<typeof CompanyCreation>,
): Promise<CreatedCompany> => {
  const id = newId();
  await tx.query(
    `INSERT INTO company (id, slug, name, country, language, sector) VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      id,
      company.slug,
      company.name,
      company.country ?? null,
      company.language ?? 'fr',
      company.sector ?? null,
    ],
  );
  return { id, slug: company.slug, name: company.name };
};
