import wordings from '../wording.json' with { type: 'json' };
import type { Language } from './words.js';

/** The model's own sentences. `{}` is a placeholder. */
type Wording = (typeof wordings)[Language];

/** The model's own sentences in one language. */
export class Voice {
  private readonly wording: Wording;

  constructor(language: Language) {
    this.wording = wordings[language];
  }

  say(key: keyof Wording, what = ''): string {
    return this.wording[key].replace('{}', () => what);
  }

  quoted(text: string): string {
    return `${this.wording.open}${text}${this.wording.close}`;
  }
}
