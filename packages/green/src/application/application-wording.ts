import en from '../../wording/application.en.json' with { type: 'json' };
import es from '../../wording/application.es.json' with { type: 'json' };
import fr from '../../wording/application.fr.json' with { type: 'json' };
import zhHant from '../../wording/application.zh-hant.json' with { type: 'json' };
import { type Wording, wordingsOf } from '../wording.js';

export type ApplicationTexts = typeof en;
export type ApplicationWording = Wording<ApplicationTexts>;

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const applicationWordingOf = wordingsOf<ApplicationTexts>({ en, fr, es, 'zh-Hant': zhHant });
