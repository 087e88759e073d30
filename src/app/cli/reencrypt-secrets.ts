import { companyIds } from '../../companies/company.repository.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { providerSecretPurpose } from '../../companies/providers/company-providers.service.js';
import {
  addressPurpose,
  secretPurpose,
} from '../../companies/notifications/webhooks/webhook-sender.service.js';
import { type Secrets, UnreadableSecret } from '../../platform/secrets.js';
import { skillSecretPurpose } from '../../skills/skill-definitions.service.js';
import { serverSecretPurpose } from '../../skills/mcp/company-server-links.js';
import { grantSecretPurpose } from '../../skills/mcp/oauth/mcp-grants.service.js';
import { type EncryptedColumn, EncryptedColumnRepository } from './encrypted-column.repository.js';

/** The purpose that a value is encrypted for. It binds the value to its row. */
type Purpose = (row: { companyId: string; id: string }) => string;

/** Every column that is encrypted with the installation's key. A test finds missing ones. */
const encrypted: readonly (EncryptedColumn & { purpose: Purpose })[] = [
  { table: 'skill_definition', id: 'skill_id', column: 'secrets', purpose: skillSecretPurpose },
  { table: 'mcp_server', id: 'id', column: 'secrets', purpose: serverSecretPurpose },
  { table: 'mcp_server', id: 'id', column: 'grant_secrets', purpose: grantSecretPurpose },
  { table: 'provider', id: 'id', column: 'api_key', purpose: providerSecretPurpose },
  { table: 'webhook', id: 'id', column: 'secret', purpose: secretPurpose },
  { table: 'webhook', id: 'id', column: 'url', purpose: addressPurpose },
];

/** Rows that are changed in one transaction. */
const BATCH = 100;

export interface ReencryptionCounts {
  /** Values that were encrypted with the current key. */
  done: number;
  /** Values that no key can decrypt. They stay as they are. */
  unreadable: number;
}

/**
 * Encrypts everything with the current key, in short transactions, while servers run. An interrupted run can be
 * repeated: it goes on with the rest.
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
  column: EncryptedColumn & { purpose: Purpose },
  after: string | null,
  outcome: ReencryptionCounts,
): Promise<string | null> {
  const batch = await rows.listOthers(tx, column, { prefix: secrets.prefix, after, limit: BATCH });
  for (const { id, value: before } of batch) {
    const purpose = column.purpose({ companyId: tx.companyId, id });
    const text = readable(secrets, before, purpose);
    if (text === null) outcome.unreadable += 1;
    else if (await rows.replace(tx, column, { id, value: secrets.encrypt(text, purpose), before })) {
      outcome.done += 1;
    }
  }
  return batch.at(-1)?.id ?? null;
}

function readable(secrets: Secrets, encrypted: string, purpose: string): string | null {
  try {
    return secrets.decrypt(encrypted, purpose);
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
}
