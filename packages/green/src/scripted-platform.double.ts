import type {
  CompanyProfile,
  KeptRecord,
  NewFile,
  NewRecord,
  Platform,
  Records,
  RecordUpdate,
  SkillContext,
} from '@palabre/plugin';

/** A server in memory, for tests of skills. */
export class ScriptedPlatform implements Platform {
  /** Facts of the company. Its language is that of the question by default. */
  profile: Partial<CompanyProfile>;
  readonly records = new ScriptedRecords();
  readonly stored: NewFile[] = [];
  /** The contexts of all calls, in order. */
  readonly asked: SkillContext[] = [];
  clock = new Date('2026-11-22T09:00:00Z');
  /** The local time's offset from UTC. */
  offsetHours = 0;

  constructor(profile: Partial<CompanyProfile> = {}) {
    this.profile = profile;
  }

  async company(context: SkillContext): Promise<CompanyProfile> {
    this.asked.push(context);
    return { ...unknownCompany, language: context.language, ...this.profile };
  }

  async storeFiles(context: SkillContext, files: readonly NewFile[]): Promise<void> {
    this.asked.push(context);
    this.stored.push(...files);
  }

  now(): Date {
    return this.clock;
  }

  shown(moment: Date): Date {
    return new Date(moment.getTime() + this.offsetHours * 3_600_000);
  }
}

/** One company's records. */
class ScriptedRecords implements Records {
  readonly kept: (KeptRecord & { kind: string })[] = [];
  /** The time of new records. */
  at = new Date('2026-11-20T16:30:00Z');

  async find(_context: SkillContext, kind: string, subject?: string): Promise<KeptRecord | null> {
    const found = this.kept.findLast(
      (record) => record.kind === kind && (subject === undefined || record.subject === subject),
    );
    return found ?? null;
  }

  async update(
    context: SkillContext,
    kind: string,
    subject: string,
    make: (before: KeptRecord | null) => NewRecord,
  ): Promise<RecordUpdate> {
    const before = await this.find(context, kind, subject);
    const made = JSON.parse(JSON.stringify(make(before))) as NewRecord;
    if (before && JSON.stringify(made.content) === JSON.stringify(before.content))
      return { before, record: before };
    const version = (before?.version ?? 0) + 1;
    const { at } = this;
    const { conversationId } = context;
    const record = { ...made, kind, subject, version, at, memberName: 'Awa', conversationId };
    this.kept.push(record);
    return { before, record };
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
