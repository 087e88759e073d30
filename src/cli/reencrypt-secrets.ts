import { CompanyRepository } from '../companies/company.repository.js';
import type { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { aboutProvider } from '../companies/providers/providers.service.js';
import { addressPurpose, secretPurpose } from '../companies/notifications/webhooks/webhook-sender.service.js';
import { type Secrets, UnreadableSecret } from '../platform/secrets.js';
import { aboutSkill } from '../skills/skill-definitions.service.js';
import { aboutServer } from '../skills/mcp/company-server-links.js';
import { type EncryptedColumn, EncryptedColumnRepository } from './encrypted-column.repository.js';

/** The purpose that a row's value is encrypted for. */
type About = (companyId: string, id: string) => string;

/** All that is encrypted with the installation's key; a test looks for what would be missing here. */
const encrypted: readonly (EncryptedColumn & { about: About })[] = [
  { table: 'skill_definition', id: 'skill_id', column: 'secrets', about: aboutSkill },
  {
    table: 'mcp_server',
    id: 'id',
    column: 'secrets',
    about: (companyId, id) => aboutServer({ companyId, id }),
  },
  {
    table: 'provider',
    id: 'id',
    column: 'api_key',
    about: (companyId, id) => aboutProvider({ companyId, id }),
  },
  {
    table: 'webhook',
    id: 'id',
    column: 'secret',
    about: (companyId, id) => secretPurpose({ companyId, id }),
  },
  { table: 'webhook', id: 'id', column: 'url', about: (companyId, id) => addressPurpose({ companyId, id }) },
];

const COMPANIES = 500;
/** Rows that are changed in one transaction. */
const BATCH = 100;

export interface ReencryptionCounts {
  /** Values that are encrypted with today's key now, and were not. */
  done: number;
  /** Values that no key reads: they stay as they are. */
  unreadable: number;
}

/**
 * Encrypts with today's key whatever is encrypted with an older one, in short transactions, beside whatever else is
 * done. What it has done when it is broken off stays done, and is not done again.
 */
export async function reencryptSecrets(database: Database, secrets: Secrets): Promise<ReencryptionCounts> {
  const outcome: ReencryptionCounts = { done: 0, unreadable: 0 };
  for await (const companyId of companyIds(database)) {
    for (const column of encrypted) {
      for (let after: string | null = null; ;) {
        const from: string | null = after;
        const last: string | null = await database.transaction(companyId, (tx) =>
          encryptBatch(tx, secrets, column, from, outcome),
        );
        if (last === null) break;
        after = last;
      }
    }
  }
  return outcome;
}

const rows = new EncryptedColumnRepository();

/** Gives the last row that was looked at; null: there was none. */
async function encryptBatch(
  tx: Transaction,
  secrets: Secrets,
  column: EncryptedColumn & { about: About },
  after: string | null,
  outcome: ReencryptionCounts,
): Promise<string | null> {
  const batch = await rows.listOthers(tx, column, { prefix: secrets.prefix, after, limit: BATCH });
  for (const { id, value: before } of batch) {
    const about = column.about(tx.companyId, id);
    const text = readable(secrets, before, about);
    if (text === null) outcome.unreadable += 1;
    else if (await rows.replace(tx, column, { id, value: secrets.encrypt(text, about), before })) {
      outcome.done += 1;
    }
  }
  return batch.at(-1)?.id ?? null;
}

function readable(secrets: Secrets, encrypted: string, about: string): string | null {
  try {
    return secrets.decrypt(encrypted, about);
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
}

async function* companyIds(database: Database): AsyncGenerator<string> {
  const companies = new CompanyRepository();
  for (let after: string | null = null; ;) {
    const from: string | null = after;
    const page: string[] = await database.systemTransaction((tx) => companies.listIds(tx, from, COMPANIES));
    yield* page;
    after = page.at(-1) ?? null;
    if (page.length < COMPANIES) return;
  }
}
