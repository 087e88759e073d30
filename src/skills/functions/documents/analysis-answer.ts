import type { Calendar } from '../../../common/calendar.js';
import type { JsonObject, JsonValue } from '../../../common/json.js';
import type { AnalysisResult, KeyFigure } from '../../../documents/analysis/analysis-result.js';
import type { NamedDocument } from '../../../documents/analysis/naming/named-document.js';
import type { FoundPassage } from '../../../documents/search/found-passage.js';
import { SkillAnswer, SkillError } from '../../skill.js';
import { analysisWordingOf } from './analysis-wording.js';

/** How many a model is shown: what it can say in an answer. All are in the details. */
const MOST_FIGURES = 20;

export const percentOf = (share: number): number => Math.floor(Math.round(share * 1000) / 10);

/** What a model reads of a document that was analysed. */
export const finishedAnswer = (
  { id, name }: NamedDocument,
  result: AnalysisResult,
  passages: readonly FoundPassage[],
  language: string,
): SkillAnswer => {
  const wording = analysisWordingOf(language);
  const { keyFigures, esg, coverage } = result;
  const said = [wording.done({ name, figures: keyFigures.length, part: coverage })];
  if (esg) said.push(wording.esg(esg.covered.length, esg.missing.length));
  return new SkillAnswer(
    {
      summary: said.join(' '),
      status: 'COMPLETED',
      document: { id, name },
      content: result.summary,
      keyFigures: keyFigures.slice(0, MOST_FIGURES).map(shortFigure),
      ...(esg && { esg: shortEsg(esg) }),
      ...(passages.length > 0 && { passages: passages.map(shortPassage) }),
      coverage,
    },
    { kind: 'document_analysis', documentId: id, documentName: name, ...result },
  );
};

const shortFigure = ({ label, value, unit, page }: KeyFigure): JsonObject => ({
  label,
  value: [value, unit].filter((part) => part !== '').join(' '),
  ...(page === null ? {} : { page }),
});

const shortPassage = ({ page, text }: FoundPassage): JsonObject => ({
  ...(page === null ? {} : { page }),
  text,
});

const shortEsg = ({ covered, missing }: NonNullable<AnalysisResult['esg']>): JsonObject => ({
  covered: covered.map(({ code, label, page }) => `${code} ${label}${page === null ? '' : ` (p. ${page})`}`),
  missing: missing.map(({ code, label }) => `${code} ${label}`),
});

/** The same of one that is not done yet. */
export const unfinishedAnswer = (
  { id, name }: NamedDocument,
  progress: number,
  language: string,
): JsonValue => ({
  summary: analysisWordingOf(language).inBackground(name, percentOf(progress)),
  status: 'RUNNING',
  document: { id, name },
  progress,
});

/** Why a document cannot be analysed as it stands; null: it can. */
export const obstacleOf = (
  { name, contentId, uploadError, status, error, progress }: NamedDocument,
  language: string,
): SkillError | null => {
  const wording = analysisWordingOf(language);
  if (uploadError !== null) return new SkillError(wording.notReadable(name, uploadError));
  if (contentId === null) return new SkillError(wording.notUploaded(name));
  if (status === 'FAILED') return new SkillError(wording.notReadable(name, error ?? ''));
  return status === 'COMPLETED' ? null : new SkillError(wording.notReadYet(name, percentOf(progress)));
};

/** Asks back which of several is meant. */
export const ambiguityOf = (
  documents: readonly NamedDocument[],
  language: string,
  calendar: Calendar,
): SkillError =>
  new SkillError(
    analysisWordingOf(language).whichOne(
      documents.map(({ id, name, createdAt }) => `${name} (${calendar.dayOf(createdAt)}, id ${id})`),
    ),
  );
