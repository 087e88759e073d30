import en from '../../wording/report.en.json' with { type: 'json' };
import es from '../../wording/report.es.json' with { type: 'json' };
import fr from '../../wording/report.fr.json' with { type: 'json' };
import zhHant from '../../wording/report.zh-hant.json' with { type: 'json' };
import { type Wording, wordingsOf } from '../wording.js';

export const reportKinds = ['esg', 'carbon', 'financing', 'application'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** How far a report is, for people. */
export type ReportStage = 'collecting' | 'docx' | 'pdf' | 'storing';

export type ReportTexts = typeof en;
export type ReportWording = Wording<ReportTexts>;

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const reportWordingOf = wordingsOf<ReportTexts>({ en, fr, es, 'zh-Hant': zhHant });
