import { Injectable } from '@nestjs/common';

import { Tokenizer } from '../../llm/tokens/tokenizer.js';
import { LanguageDetector } from './language/language-detector.js';
import { PassageCutter } from './passage-cutter.js';

/** Makes cutters: one for each document. */
@Injectable()
export class PassageCutters {
  constructor(private readonly tokenizer: Tokenizer) {}

  /** Not to be called inside a transaction: what languages are told by is read when it is first needed. */
  async open(): Promise<PassageCutter> {
    return new PassageCutter(this.tokenizer, await LanguageDetector.load());
  }
}
