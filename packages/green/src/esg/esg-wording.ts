import en from '../../wording/esg.en.json' with { type: 'json' };
import es from '../../wording/esg.es.json' with { type: 'json' };
import fr from '../../wording/esg.fr.json' with { type: 'json' };
import zhHant from '../../wording/esg.zh-hant.json' with { type: 'json' };
import { type Wording, wordingsOf } from '../wording.js';

export type EsgWording = Wording<typeof en>;

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const esgWordingOf = wordingsOf<typeof en>({ en, fr, es, 'zh-Hant': zhHant });
