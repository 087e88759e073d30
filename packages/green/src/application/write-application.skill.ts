import {
  changesHere,
  type CompanyProfile,
  type JsonObject,
  type JsonValue,
  parametersOf,
  type Platform,
  readInput,
  type Skill,
  type SkillContext,
} from '@palabre/plugin';
import { z } from 'zod';

import { calculated, reader } from '../carbon/calculated-footprint.js';
import { ItemInput } from '../carbon/footprint-arguments.js';
import { amended } from '../carbon/footprint-change.js';
import { type CarbonFootprint, footprints } from '../carbon/footprint-details.js';
import { assessments } from '../esg/esg-score.js';
import { loadFinancingData, type Programme } from '../financing/financing-data.js';
import { reportProgramme } from '../financing/financing-report.js';
import { FinancingSpeech } from '../financing/financing-wording.js';
import { judgeProgramme } from '../financing/matching.js';
import { purposesIn, sectorsIn } from '../financing/recognition.js';
import { greenAdvisers } from '../green-advisers.js';
import { formatChoices, ReportWriter } from '../report/report-writer.js';
import { Fault, sayingFaultsIn } from '../result-wording.js';
import { Names } from '../understanding.js';
import { fill, inEveryLanguage, type Wording, wordingOf } from '../wording.js';
import { type Application, applicationReport } from './application-content.js';
import { ApplicationDraft, applications, requestedIn, text, totalOf } from './application-draft.js';
import { type KnownFigure, unbackedFigures } from './written-figures.js';

const Input = ApplicationDraft.extend({
  programme: text(200).optional().describe('As find_green_financing names it'),
  after: z
    .array(ItemInput)
    .max(100)
    .optional()
    .describe('The quantities of the company’s footprint that it changes, as they are after it; 0: none'),
  write: z.boolean().optional().describe('Also while something is missing: only if the user wants a draft'),
  format: z.enum(formatChoices).optional().describe('Left out: both.'),
});

/** Inconsistent data stops the start, not a turn. */
const { programmes } = loadFinancingData();
const byId = new Map(programmes.map((programme) => [programme.id, programme]));
/** A name such as `Fonds vert pour le climat (GCF)` is also found by the part in brackets and the part before them. */
const names = new Names(
  programmes.map(({ id, name }) => [id, [name], name.split(/[()]/).map((piece) => piece.trim())]),
);

type Missing = keyof Wording['application']['missing'];

/** Writes the application file from the company's records and the user's statements, and asks for the rest. */
export class WriteApplicationSkill implements Skill {
  readonly key = 'write_application';
  readonly name = 'Application file';
  readonly names = { fr: 'Dossier de candidature', es: 'Expediente de solicitud', zh: '申請文件' };
  readonly description =
    'Writes an application file (dossier de candidature, expediente de solicitud, 申請文件) for green finance as Word and ' +
    'PDF: project, applicant, budget, financing plan, environmental effects, schedule, annexes. Call it whenever the user ' +
    'says something of it: what was said before is kept, and it tells what to ask next. The files are made once nothing is ' +
    'missing. Figures of the company’s footprint, score and effects are its own: write none in texts that it does not give.';
  readonly descriptions = inEveryLanguage(({ skills }) => skills.application);
  readonly parameters = parametersOf(Input);
  readonly assistants = greenAdvisers;
  /** A second call would store the same files twice. */
  readonly idempotent = false;
  readonly timeoutMs = 75_000;
  readonly effect = changesHere;

  private readonly writer: ReportWriter;

  constructor(private readonly platform: Platform) {
    this.writer = new ReportWriter(platform);
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    return sayingFaultsIn(context.language, async () => this.answer(readInput(Input, input), context));
  }

  private async answer(
    { write = false, format = 'both', after, programme, ...said }: z.output<typeof Input>,
    context: SkillContext,
  ): Promise<JsonValue> {
    const company = await this.platform.company(context);
    const asked = {
      ...said,
      ...(programme !== undefined && { programme: idOf(programme) }),
      ...(after && { after: reader.readItems(after) }),
    };
    const latest = await applications.find(this.platform, context);
    const subject = asked.programme ?? latest?.given.programme ?? '';
    const draft = {
      ...((await applications.find(this.platform, context, subject)) ?? latest)?.given,
      ...asked,
    };
    const application = await this.gather(draft, company, context);
    checkFigures(application, company);
    const missing = missingIn(application, company);
    const { kept } = await applications.keep(this.platform, context, subject, () => ({
      given: draft,
      result: { missing },
      title: draft.title ?? '–',
      sources: application.programme?.sources.map(({ publisher: title, url }) => ({ title, url })) ?? [],
    }));
    const questions = questionsIn(context.language, application, missing);
    const { application: texts } = wordingOf(context.language);
    const told = {
      version: kept.version,
      ...(missing.length > 0 && { missing: questions }),
      ...effectsOf(application, context.language),
    };
    if (missing.length > 0 && !write) {
      const summary = fill(texts.drafted, {
        title: draft.title ?? '–',
        version: kept.version,
        count: missing.length,
      });
      return { summary, ...told };
    }
    const whole = { ...application, missing: questionsIn(company.language, application, missing) };
    const files = await this.writer.write(
      {
        kind: 'application',
        format,
        compose: async (frame) => applicationReport(whole, frame, company.language),
      },
      context,
    );
    return { ...files, ...told };
  }

  /** Everything is in the company's language, like its files. */
  private async gather(
    draft: ApplicationDraft,
    company: CompanyProfile,
    context: SkillContext,
  ): Promise<Application> {
    const [footprint, esg] = await Promise.all([
      footprints.find(this.platform, context),
      assessments.find(this.platform, context, ''),
    ]);
    const programme = byId.get(draft.programme ?? '');
    const given =
      footprint && draft.after?.length && amended(footprint.given, { items: draft.after }, company.country);
    return {
      draft,
      programme: programme ? tellProgramme(programme, draft, company) : null,
      footprint: footprint && this.writer.dated(footprint),
      after: given ? calculated(given, company.country, company.language).result : null,
      esg: esg && this.writer.dated(esg),
      missing: [],
    };
  }
}

function idOf(name: string): string {
  const id = names.find(name);
  if (id === undefined)
    throw new Fault('unknownProgramme', {
      text: name,
      nearest: names.sayNearest(name, (each) => byId.get(each)?.name ?? each, 3),
    });
  return id;
}

/** A programme with its known requirements, and whether the application meets them. */
function tellProgramme(
  programme: Programme,
  draft: ApplicationDraft,
  company: CompanyProfile,
): Application['programme'] {
  const { title = '', description = '', currency } = draft;
  const value = requestedIn(draft);
  const judged = judgeProgramme(programme, {
    country: company.country,
    region: null,
    sectors: company.sector === null ? null : sectorsIn(company.sector),
    purposes: description === '' ? null : purposesIn(`${title} ${description}`),
    amount: value > 0 && currency !== undefined ? { value, currency } : null,
    instrument: null,
  });
  return reportProgramme(judged, new FinancingSpeech(wordingOf(company.language)));
}

/** What every programme or bank requires. */
function missingIn({ draft, programme, footprint, after }: Application, company: CompanyProfile): Missing[] {
  const { budget = [], plan = [], schedule = [] } = draft;
  const isBalanced = Math.abs(totalOf(budget) - totalOf(plan)) < 1;
  const lacks: Record<Missing, boolean> = {
    programme: programme === null,
    title: draft.title === undefined,
    description: draft.description === undefined,
    budget: budget.length === 0 || draft.currency === undefined,
    plan: plan.length === 0 || requestedIn(draft) === 0,
    balance: budget.length > 0 && plan.length > 0 && !isBalanced,
    schedule: schedule.length === 0,
    footprint: footprint === null,
    effects: footprint !== null && after === null && draft.effects === undefined,
    sector: company.sector === null,
    country: company.country === null,
    headcount: company.headcount === null,
    revenue: company.revenueAmount === null,
  };
  return (Object.keys(lacks) as Missing[]).filter((code) => lacks[code]);
}

function questionsIn(tag: string, { draft }: Application, missing: readonly Missing[]): string[] {
  const { application: texts, speech } = wordingOf(tag);
  const values = { budget: speech.number(totalOf(draft.budget)), plan: speech.number(totalOf(draft.plan)) };
  return missing.map((code) => fill(texts.missing[code], values));
}

/** Figures in the text must be recorded or calculated ones. Throws Fault that names the others. */
function checkFigures(
  { draft, programme, footprint, after, esg }: Application,
  company: CompanyProfile,
): void {
  const { speech } = wordingOf(company.language);
  const { title = '', description = '', effects = '', results = [], currency = 'XOF' } = draft;
  const kilograms = [...figuresOf(footprint?.details ?? null), ...figuresOf(after)];
  const saving = footprint && after ? [Math.abs(footprint.details.totalKgCO2e - after.totalKgCO2e)] : [];
  const scores = esg ? [esg.details.score, ...esg.details.pillars.map(({ score }) => score)] : [];
  const revenue = company.revenueCurrency === currency ? [company.revenueAmount] : [];
  const bounds = programme?.amount.currency === currency ? [programme.amount.min, programme.amount.max] : [];
  const parts = [...(draft.budget ?? []), ...(draft.plan ?? [])].map(({ amount }) => amount);
  const amounts = [
    ...parts,
    totalOf(draft.budget),
    totalOf(draft.plan),
    requestedIn(draft),
    ...revenue,
    ...bounds,
  ];
  const known = [
    ...figures('emissions', [...kilograms, ...saving]),
    ...figures('score', scores),
    ...figures('money', amounts),
  ];
  const unbacked = unbackedFigures([title, description, effects, ...results].join('\n'), currency, known);
  if (unbacked.length === 0) return;
  const say: Record<KnownFigure['kind'], (value: number) => string> = {
    emissions: (value) => speech.emissions(value),
    score: (value) => `${speech.tenths(value)}/100`,
    money: (value) => speech.money(value, currency),
  };
  const named = [
    ...new Set(known.filter(({ value }) => value > 0).map(({ kind, value }) => say[kind](value))),
  ];
  throw new Fault('unbackedFigures', {
    figures: speech.list(unbacked),
    known: speech.list(named.slice(0, 20)) || '–',
  });
}

function figures(kind: KnownFigure['kind'], values: readonly (number | null)[]): KnownFigure[] {
  return values.flatMap((value) => (value === null ? [] : [{ kind, value }]));
}

function figuresOf(footprint: CarbonFootprint | null): number[] {
  if (!footprint) return [];
  const { totalKgCO2e, scopes, categories, lines } = footprint;
  return [totalKgCO2e, ...[...scopes, ...categories, ...lines].map(({ kgCO2e }) => kgCO2e)];
}

/** The project's effect on the footprint, for the model. */
function effectsOf({ footprint, after }: Application, tag: string): JsonObject {
  if (!footprint || !after) return {};
  const { speech } = wordingOf(tag);
  const [now, then] = [footprint.details.totalKgCO2e, after.totalKgCO2e];
  return {
    effects: {
      now: speech.emissions(now),
      after: speech.emissions(then),
      saving: speech.emissions(now - then),
    },
  };
}
