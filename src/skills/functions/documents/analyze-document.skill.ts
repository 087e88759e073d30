import { z } from 'zod';
import { type DocumentIndicators, parametersOf, readInput } from '@palabre/plugin';
import type { JsonObject, JsonValue } from '@palabre/json';

import { Calendar } from '../../../common/calendar.js';
import { Plugins } from '../../../common/plugins.js';
import { counted, fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import { TurnAttachments } from '../../../conversations/turns/turn-attachments.service.js';
import { Database } from '../../../platform/database/database.js';
import {
  type AnalysisResult,
  type IndicatorsFound,
  indicatorsIn,
  type KeyFigure,
} from '../../../documents/analysis/analysis-result.js';
import { type DocumentAnalysis, storedFocus } from '../../../documents/analysis/analysis.repository.js';
import { DocumentAnalyses } from '../../../documents/analysis/document-analyses.service.js';
import { NamedDocuments } from '../../../documents/analysis/named-documents.service.js';
import type { DocumentView } from '../../../documents/document-view.js';
import { errorIn } from '../../../documents/document-remark.js';
import { DocumentSearch } from '../../../documents/search/document-search.service.js';
import type { FoundPassage } from '../../../documents/search/found-passage.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { readsForeign, type Skill, SkillAnswer, type SkillContext, SkillError } from '../../skill.js';
import { ANALYZE_DOCUMENT } from './document-skill-keys.js';
import { AwaitedAnalyses } from './awaited-analyses.service.js';

/** The wait before the answer continues without the analysis. */
const MAX_WAIT_MS = 20_000;
/** Progress is reported in steps of this size. */
const STEP_PERCENT = 10;

const MAX_QUESTION_CHARACTERS = 1_000;
/** The most passages that are shown for a question. */
const MAX_PASSAGES = 4;

type Focus = Pick<DocumentIndicators, 'focus' | 'name'>;

const Input = z.strictObject({
  document: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .optional()
    .describe('Its name, a part of it, or its id. Left out: the only one that there is.'),
  question: z
    .string()
    .trim()
    .min(1)
    .max(MAX_QUESTION_CHARACTERS)
    .optional()
    .describe('What the user wants to know besides: gives the passages that bear on it.'),
});

interface Begun {
  document: DocumentView;
  analysis: DocumentAnalysis;
}

/** The input, with the focuses of packages. */
function inputWith(
  focuses: readonly Focus[],
): z.ZodType<z.output<typeof Input> & { focus?: string | undefined }> {
  const described = focuses.map(
    ({ focus, name }) =>
      `${focus}: besides summary and figures, what it holds for ${name} and what is missing.`,
  );
  const names = ['summary', ...focuses.map(({ focus }) => focus)];
  const focus = z.enum(names).optional().describe(described.join(' '));
  return focuses.length === 0 ? Input : Input.extend({ focus });
}

/** Analyses a whole document of any length. */
@FunctionSkill()
export class AnalyzeDocumentSkill implements Skill {
  readonly key = ANALYZE_DOCUMENT;
  readonly name = wordingIn('en').skillNames.analyze_document;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly idempotent = true;
  readonly effect = readsForeign;
  private readonly input: ReturnType<typeof inputWith>;

  constructor(
    private readonly database: Database,
    private readonly documents: NamedDocuments,
    private readonly analyses: DocumentAnalyses,
    private readonly awaited: AwaitedAnalyses,
    private readonly search: DocumentSearch,
    private readonly calendar: Calendar,
    private readonly plugins: Plugins,
    private readonly attachments: TurnAttachments,
  ) {
    const names = plugins.indicators.map(({ name }) => name).join(', ');
    const besides = names === '' ? '' : `, and for ${names} what it supports and what is missing`;
    this.description =
      `Analyses a whole document: summary, key figures with their page${besides}. ` +
      'Use it when the user asks about a document as a whole, not for a single question. A long one goes on in the ' +
      'background: call it again later for the result.';
    this.input = inputWith(plugins.indicators);
    this.parameters = parametersOf(this.input);
  }

  get timeoutMs(): number {
    return MAX_WAIT_MS + 15_000;
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue | SkillAnswer> {
    const { document: wanted = null, question = null, focus: given } = readInput(this.input, input);
    const focus = this.focusOf(given, context);
    const begun = await this.begin(wanted, focus, context);
    const { companyId, turnId, signal, language } = context;
    const analysis = await this.awaited.wait(begun.analysis.id, {
      companyId,
      turnId,
      maxMs: MAX_WAIT_MS,
      signal,
      onProgress: progressTeller(begun.document, context),
    });
    const result = resultOf(begun.document, analysis, language);
    if (!result) return unfinishedAnswer(begun.document, analysis?.progress ?? 0, language);
    const passages = await this.passagesOn(question, begun.document, context);
    return finishedAnswer(begun.document, { result, focus, passages }, language);
  }

  /** Some assistants analyse documents for a package's indicators by default. Null: a summary only. */
  private focusOf(given: string | undefined, { assistantKey }: SkillContext): Focus | null {
    const isMeant = ({ focus, assistants }: DocumentIndicators): boolean =>
      given === undefined ? assistants.includes(assistantKey) : focus === given;
    return this.plugins.indicators.find(isMeant) ?? null;
  }

  private async passagesOn(
    query: string | null,
    { id, scope }: DocumentView,
    { companyId, memberId, signal }: SkillContext,
  ): Promise<readonly FoundPassage[]> {
    if (query === null) return [];
    const asked =
      scope === 'COMPANY'
        ? { query, limit: MAX_PASSAGES, documentIds: [id] }
        : { query, limit: MAX_PASSAGES, documentIds: [], attached: { memberId, documentIds: [id] } };
    return (await this.search.search(companyId, asked, signal)).passages;
  }

  private async begin(wanted: string | null, focus: Focus | null, context: SkillContext): Promise<Begun> {
    const attached = await this.attachments.listDocumentIds(context.companyId, context.turnId);
    const { companyId, turnId, memberId, assistantKey: assistant, language, documentIds } = context;
    return this.database.transaction(companyId, async (tx) => {
      const found = await this.documents.find(tx, wanted, documentIds, attached);
      const document = this.onlyOne(found, wanted, language);
      const obstacle = obstacleOf(document, language);
      if (obstacle) throw obstacle;
      const { contentId } = document;
      // Private names stay out of notification titles, which webhooks show to admins.
      const documentName = document.scope === 'COMPANY' ? document.name : '';
      const asked = {
        contentId: contentId ?? '',
        focus: storedFocus(focus?.focus ?? null),
        language,
        turnId,
        memberId,
        assistant,
        documentName,
      };
      const analysis = await this.analyses.ask(tx, asked);
      if (!analysis)
        throw new SkillError(fill(wordingIn(language).analysisSkill.notFound, { wanted: document.name }));
      return { document, analysis };
    });
  }

  private onlyOne(documents: readonly DocumentView[], wanted: string | null, language: string): DocumentView {
    const [document, another] = documents;
    const wording = wordingIn(language).analysisSkill;
    if (!document)
      throw new SkillError(wanted === null ? wording.noDocument : fill(wording.notFound, { wanted }));
    if (another) throw ambiguityOf(documents, language, this.calendar);
    return document;
  }
}

function progressTeller(
  { name }: DocumentView,
  { progress, language }: SkillContext,
): (analysis: DocumentAnalysis) => void {
  let told = -STEP_PERCENT;
  return (analysis) => {
    const percent = percentOf(analysis.progress);
    if (percent < told + STEP_PERCENT) return;
    told = percent;
    progress(fill(wordingIn(language).analysisSkill.reading, { name, percent }));
  };
}

/** Null: not there yet. */
function resultOf(
  { name }: DocumentView,
  analysis: DocumentAnalysis | null,
  language: string,
): AnalysisResult | null {
  const wording = wordingIn(language).analysisSkill;
  if (!analysis) throw new SkillError(fill(wording.notFound, { wanted: name }));
  if (analysis.failure !== null) throw new SkillError(fill(wording.failed[analysis.failure], { name }));
  return analysis.result;
}

/** The most key figures for a model. The details have all. */
const MAX_FIGURES = 20;

function percentOf(share: number): number {
  return Math.floor(Math.round(share * 1000) / 10);
}

/** The model's result for a finished analysis. */
function finishedAnswer(
  { id, name }: DocumentView,
  {
    result,
    focus,
    passages,
  }: { result: AnalysisResult; focus: Focus | null; passages: readonly FoundPassage[] },
  language: string,
): SkillAnswer {
  const wording = wordingIn(language).analysisSkill;
  const { keyFigures, coverage } = result;
  const said = [doneText(name, keyFigures.length, coverage, wording)];
  const found = focus && indicatorsIn(result, focus.focus);
  if (found) said.push(supportText(focus.name, found, wording));
  return new SkillAnswer(
    {
      summary: said.join(' '),
      status: 'COMPLETED',
      document: { id, name },
      content: result.summary,
      keyFigures: keyFigures.slice(0, MAX_FIGURES).map(shortFigure),
      ...(found && { [focus.focus]: shortIndicators(found) }),
      ...(passages.length > 0 && { passages: passages.map(shortPassage) }),
      coverage,
    },
    { kind: 'document_analysis', documentId: id, documentName: name, ...result },
  );
}

function doneText(
  name: string,
  figures: number,
  { pages, pagesRead, isWhole }: AnalysisResult['coverage'],
  wording: Wording['analysisSkill'],
): string {
  const facts = counted(wording.figures, figures) + (pages === null ? '' : counted(wording.pages, pages));
  const done = fill(wording.done, { name, facts });
  if (isWhole) return done;
  const isCut = pagesRead === null || pagesRead === pages;
  return done + (isCut ? wording.onlyPart : fill(wording.onlyPages, { page: pagesRead }));
}

function shortFigure({ label, value, unit, page }: KeyFigure): JsonObject {
  return {
    label,
    value: [value, unit].filter((part) => part !== '').join(' '),
    ...(page === null ? {} : { page }),
  };
}

function shortPassage({ page, text }: FoundPassage): JsonObject {
  return {
    ...(page === null ? {} : { page }),
    text,
  };
}

function supportText(
  name: string,
  { covered, missing }: IndicatorsFound,
  wording: Wording['analysisSkill'],
): string {
  return fill(wording.supports, {
    name,
    covered: counted(wording.covered, covered.length),
    missing: counted(wording.missing, missing.length),
  });
}

function shortIndicators({ covered, missing }: IndicatorsFound): JsonObject {
  return {
    covered: covered.map(
      ({ code, label, page }) => `${code} ${label}${page === null ? '' : ` (p. ${page})`}`,
    ),
    missing: missing.map(({ code, label }) => `${code} ${label}`),
  };
}

/** The model's result for an unfinished analysis. */
function unfinishedAnswer({ id, name }: DocumentView, progress: number, language: string): JsonValue {
  return {
    summary: fill(wordingIn(language).analysisSkill.inBackground, { name, percent: percentOf(progress) }),
    status: 'RUNNING',
    document: { id, name },
    progress,
  };
}

/** Why a document cannot be analysed. Null: it can. */
function obstacleOf(document: DocumentView, language: string): SkillError | null {
  const { name, contentId, status, progress } = document;
  const wording = wordingIn(language).analysisSkill;
  if (status === 'FAILED') {
    const reason = errorIn(document, language) ?? '';
    return new SkillError(fill(wording.notReadable, { name, reason }));
  }
  if (contentId === null) return new SkillError(fill(wording.notUploaded, { name }));
  return status === 'COMPLETED'
    ? null
    : new SkillError(fill(wording.notReadYet, { name, percent: percentOf(progress) }));
}

/** Asks which of several documents the user means. */
function ambiguityOf(documents: readonly DocumentView[], language: string, calendar: Calendar): SkillError {
  const { whichOne, nameSeparator } = wordingIn(language).analysisSkill;
  const names = documents.map(
    ({ id, name, createdAt }) => `${name} (${calendar.dayOf(createdAt)}, id ${id})`,
  );
  return new SkillError(fill(whichOne, { names: names.join(nameSeparator) }));
}
