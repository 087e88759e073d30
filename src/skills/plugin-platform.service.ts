import { Injectable } from '@nestjs/common';
import type { CompanyProfile, NewFile, Platform, SkillContext, StoredFile } from '@palabre/plugin';

import { Calendar } from '../common/calendar.js';
import { Clock } from '../common/clock.js';
import type { JsonValue } from '../common/json.js';
import { CompaniesService } from '../companies/companies.service.js';
import type { StoredFile as Stored } from '../companies/files/stored-file.entity.js';
import { StoredFilesService } from '../companies/files/stored-files.service.js';
import { SkillCallResults } from '../conversations/turns/skill-call-results.service.js';

/** What this server does for skills that packages bring. */
@Injectable()
export class PluginPlatform implements Platform {
  constructor(
    private readonly companies: CompaniesService,
    private readonly earlier: SkillCallResults,
    private readonly files: StoredFilesService,
    private readonly clock: Clock,
    private readonly calendar: Calendar,
  ) {}

  company(context: SkillContext): Promise<CompanyProfile> {
    return this.companies.getOf(context);
  }

  latestDetails(context: SkillContext, skillKey: string): Promise<{ details: JsonValue; at: Date } | null> {
    return this.earlier.findLatest(context, skillKey);
  }

  async storeFiles(context: SkillContext, files: readonly NewFile[]): Promise<StoredFile[]> {
    const { companyId, memberId, turnId, signal } = context;
    const stored: Stored[] = [];
    try {
      for (const file of files) {
        const described = { ...file, kind: 'REPORT', turnId } as const;
        stored.push(await this.files.create(companyId, memberId, described, signal));
      }
    } catch (error) {
      // Files of a failed call are removed: nobody would know that they exist.
      for (const { id } of stored) await this.files.remove({ companyId, id: memberId }, id);
      throw error;
    }
    return stored.map((file) => ({ name: file.name, bytes: file.bytes, ...this.files.linkTo(file) }));
  }

  now(): Date {
    return this.clock.now();
  }

  shown(moment: Date): Date {
    return this.calendar.shown(moment);
  }
}
