import { Injectable } from '@nestjs/common';
import type { CompanyProfile, NewFile, Platform, SkillContext } from '@palabre/plugin';

import { Calendar } from '../common/calendar.js';
import { Clock } from '../common/clock.js';
import { CompaniesService } from '../companies/companies.service.js';
import type { StoredFile } from '../companies/files/stored-file.entity.js';
import { StoredFilesService } from '../companies/files/stored-files.service.js';
import { SkillRecords } from './records/skill-records.service.js';

/** The server's services for packages' skills. */
@Injectable()
export class PluginPlatform implements Platform {
  constructor(
    private readonly companies: CompaniesService,
    readonly records: SkillRecords,
    private readonly files: StoredFilesService,
    private readonly clock: Clock,
    private readonly calendar: Calendar,
  ) {}

  company(context: SkillContext): Promise<CompanyProfile> {
    return this.companies.getOf(context);
  }

  async storeFiles(context: SkillContext, files: readonly NewFile[]): Promise<void> {
    const { companyId, memberId, turnId, signal } = context;
    const stored: StoredFile[] = [];
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
  }

  now(): Date {
    return this.clock.now();
  }

  shown(moment: Date): Date {
    return this.calendar.shown(moment);
  }
}
