import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '@palabre/outbound';
import { byKey } from '@palabre/text';
import { readTemplate, type SecretPlace } from '@palabre/openapi';
import { isDeeperThan, isJsonObject, type JsonValue, MAX_ARGUMENT_LEVELS } from '@palabre/json';

import type { Viewer } from '../../companies/auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { badInput, DomainError, notFound } from '../../common/errors/domain-error.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { UnreadableSecret } from '../../platform/secrets.js';
import { refusalOf, SkillDefinitions } from '../skill-definitions.service.js';
import { type SkillDefinition, SkillRepository } from '../skill.repository.js';
import { type SkillMaker, SkillMakers } from '../skill-sources.service.js';
import {
  type CheckedHttpSkill,
  checkedHttpSkill,
  httpSkillOf,
  secretNamesOf,
  HttpSkillInput,
  type Secrets,
} from './http-skill-input.js';
import { type HttpSettings, readHttpSettings, shownSettings } from './http-settings.js';
import { HttpSkill, tryOut } from './http-skill.js';
import type { HttpSkillTrial } from './http-skill.model.js';
import { BadPath } from './result-path.js';

/** An HTTP skill's secrets by name, with their places. */
interface StoredSecrets {
  values: Record<string, string>;
  names: Pick<HttpSettings, 'secretHeaders' | 'secretQuery'>;
}

/** A company's own endpoints as skills. The caller has checked the role. */
@Injectable()
export class HttpSkills implements SkillMaker {
  readonly kind = 'HTTP';

  constructor(
    private readonly database: Database,
    private readonly definitions: SkillDefinitions,
    private readonly rows: SkillRepository,
    private readonly outbound: OutboundHttp,
    private readonly audit: AuditService,
    makers: SkillMakers,
  ) {
    makers.register(this);
  }

  make(key: string, definition: SkillDefinition): HttpSkill {
    return new HttpSkill(key, definition, this.definitions.secretsOf(definition), this.outbound);
  }

  /**
   * Creates or changes a skill for an endpoint. Missing secrets stay as they are while the host stays the same.
   * Rejects with BAD_USER_INPUT, or with CONFLICT for another skill's key.
   */
  async register(viewer: Viewer, input: unknown): Promise<string> {
    const checked = checkedHttpSkill(checkInput(HttpSkillInput, input));
    return this.database.transaction(viewer.companyId, (tx) => this.put(tx, viewer, checked));
  }

  /** Registers all of them or none. Rejects as `register` does. */
  async registerAll(viewer: Viewer, skills: readonly CheckedHttpSkill[]): Promise<string[]> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const keys: string[] = [];
      // In key order, so that two imports of the same skills cannot deadlock.
      for (const skill of skills.toSorted(byKey)) keys.push(await this.put(tx, viewer, skill));
      return keys;
    });
  }

  /** Registers those that it can. Returns their keys, and by key why others were refused. */
  async registerEach(
    viewer: Viewer,
    skills: readonly CheckedHttpSkill[],
  ): Promise<{ keys: string[]; refused: Map<string, string> }> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const keys: string[] = [];
      const refused = new Map<string, string>();
      for (const skill of skills.toSorted(byKey)) {
        const refusal = await refusalOf(this.put(tx, viewer, skill));
        if (refusal === null) keys.push(skill.key);
        else refused.set(skill.key, refusal);
      }
      return { keys, refused };
    });
  }

  /** Rejects with NOT_FOUND. */
  remove(viewer: Viewer, key: string): Promise<string> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const { skillId: id } = await this.definitions.remove(tx, key, 'HTTP');
      await this.audit.record(tx, viewer.id, 'skill.removed', key, { kind: 'HTTP' });
      return id;
    });
  }

  /** Calls a skill, switched on or not, and reports the result. Rejects with NOT_FOUND. */
  async try(viewer: Viewer, key: string, input: JsonValue): Promise<HttpSkillTrial> {
    if (!isJsonObject(input)) throw badInput(['arguments'], 'The arguments must be a JSON object.');
    if (isDeeperThan(input, MAX_ARGUMENT_LEVELS))
      throw badInput(['arguments'], `This must be at most ${MAX_ARGUMENT_LEVELS} levels deep.`);
    const definition = await this.database.transaction(viewer.companyId, async (tx) => {
      const found = await this.get(tx, key);
      await this.audit.record(tx, viewer.id, 'skill.tried', key);
      return found;
    });
    return tryOut(this.makeToTry(key, definition), viewer.companyId, input);
  }

  /** The settings of HTTP skills by id. Undefined: not an HTTP skill. */
  async settingsOf(
    { companyId }: Pick<Viewer, 'companyId'>,
    ids: readonly string[],
  ): Promise<(SkillDefinition | undefined)[]> {
    const found = await this.database.read(companyId, (tx) => this.rows.findDefinitions(tx, ids));
    return ids.map((id) => found.get(id));
  }

  /** The places of skills' secrets, by key. */
  secretPlacesOf({ companyId }: Viewer, keys: readonly string[]): Promise<Map<string, SecretPlace[]>> {
    return this.database.read(companyId, async (tx) => {
      const places = new Map<string, SecretPlace[]>();
      for (const key of keys) {
        const found = await this.definitions.find(tx, key);
        if (found?.row.kind === 'HTTP') places.set(key, shownSettings(found.definition)?.secrets ?? []);
      }
      return places;
    });
  }

  private async put(tx: Transaction, viewer: Viewer, input: CheckedHttpSkill): Promise<string> {
    const kept = input.secrets ? secretsFrom(input.secrets) : await this.storedSecrets(tx, input);
    const skill = httpSkillOf(input, kept.names);
    const hasSecrets = Object.keys(kept.values).length > 0;
    await this.definitions.put(tx, { ...skill, secrets: hasSecrets ? kept.values : null });
    await this.audit.record(tx, viewer.id, 'skill.registered', skill.key, {
      kind: 'HTTP',
      method: skill.settings.method,
      url: skill.settings.url,
      secrets: Object.keys(kept.values),
    });
    return skill.key;
  }

  /** A new host needs the secrets again, or an admin could send them to a host of their own. */
  private async storedSecrets(
    tx: Transaction,
    { key, url, replace }: CheckedHttpSkill,
  ): Promise<StoredSecrets> {
    const found = replace ? await this.definitions.find(tx, key) : null;
    if (found?.row.kind !== 'HTTP') return secretsFrom([]);
    const { url: before, secretHeaders, secretQuery } = readHttpSettings(found.definition.settings);
    if (secretHeaders.length + secretQuery.length === 0) return secretsFrom([]);
    if (readTemplate(before).origin !== readTemplate(url).origin)
      throw badInput(['input', 'secrets'], 'The host has changed: give the secrets again.');
    return { values: this.secretsOf(found.definition), names: { secretHeaders, secretQuery } };
  }

  private async get(tx: Transaction, key: string): Promise<SkillDefinition> {
    const found = await this.definitions.find(tx, key);
    if (found?.row.kind !== 'HTTP') throw notFound('HTTP skill');
    return found.definition;
  }

  private makeToTry(key: string, definition: SkillDefinition): HttpSkill {
    const secrets = this.secretsOf(definition);
    try {
      return new HttpSkill(key, definition, secrets, this.outbound);
    } catch (error) {
      if (!(error instanceof BadPath)) throw error;
      throw new DomainError('CONFLICT', `Register this skill again. ${error.message}`, {}, { cause: error });
    }
  }

  private secretsOf(definition: SkillDefinition): Record<string, string> {
    try {
      return this.definitions.secretsOf(definition);
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      throw new DomainError(
        'CONFLICT',
        'The secrets of this skill can no longer be read: register it again, with its secrets.',
        {},
        { cause: error },
      );
    }
  }
}

function secretsFrom(secrets: Secrets): StoredSecrets {
  return {
    values: Object.fromEntries(secrets.map(({ name, value }) => [name, value])),
    names: secretNamesOf(secrets),
  };
}
