import type { CompanyProfile, JsonValue, NewFile, Platform, SkillContext, StoredFile } from '@palabre/plugin';

/** A server in memory, for tests of what asks it. */
export class ScriptedPlatform implements Platform {
  /** What is known of the company; its language is that of whoever asks, unless it has one. */
  profile: Partial<CompanyProfile>;
  /** By the keys of skills. */
  readonly details: Record<string, JsonValue> = {};
  readonly stored: NewFile[] = [];
  /** For whom it was asked, in order. */
  readonly asked: SkillContext[] = [];
  detailsAt = new Date('2026-11-20T16:30:00Z');
  clock = new Date('2026-11-22T09:00:00Z');
  /** What clocks show there, against UTC. */
  offsetHours = 0;

  constructor(profile: Partial<CompanyProfile> = {}) {
    this.profile = profile;
  }

  async company(context: SkillContext): Promise<CompanyProfile> {
    this.asked.push(context);
    return { ...unknownCompany, language: context.language, ...this.profile };
  }

  async latestDetails(context: SkillContext, skillKey: string) {
    this.asked.push(context);
    const details = this.details[skillKey];
    return details === undefined ? null : { details, at: this.detailsAt };
  }

  async storeFiles(context: SkillContext, files: readonly NewFile[]): Promise<StoredFile[]> {
    this.asked.push(context);
    const first = this.stored.length + 1;
    this.stored.push(...files);
    return files.map(({ name, content }, index) => ({
      name,
      bytes: content.byteLength,
      url: `https://palabre.example/files/${first + index}`,
      expiresAt: new Date('2026-11-22T09:15:00Z'),
    }));
  }

  now(): Date {
    return this.clock;
  }

  shown(moment: Date): Date {
    return new Date(moment.getTime() + this.offsetHours * 3_600_000);
  }
}

const unknownCompany: CompanyProfile = {
  name: '',
  sector: null,
  country: null,
  city: null,
  headcount: null,
  revenueAmount: null,
  revenueCurrency: null,
  environmentalPractices: [],
  declaredGoals: [],
  attributes: {},
  language: 'fr',
};
