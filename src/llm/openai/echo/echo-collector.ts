import type { JsonObject } from '../../../common/json.js';
import type { EchoContent } from './echo-content.js';
import { ReasoningDetails } from './reasoning-details.js';

/** What one chunk brings that its model may want back; what its calls bring goes with these. */
export interface EchoPieces {
  reasoningContent: string;
  reasoningDetails: JsonObject[];
  /** Beside the text: the signature of what was said. */
  extra: JsonObject | null;
}

/** Collects what a model may want back with a step, while it streams. */
export class EchoCollector {
  private readonly details = new ReasoningDetails();
  private reasoningContent = '';
  private extra: JsonObject | null = null;

  add({ reasoningContent, reasoningDetails, extra }: EchoPieces): void {
    this.reasoningContent += reasoningContent;
    this.details.add(reasoningDetails);
    if (extra) this.extra = { ...this.extra, ...extra };
  }

  /** Null where nothing came. `extras`: what came with each of the calls. */
  finish(extras: readonly (readonly [id: string, extra: JsonObject | null])[]): EchoContent | null {
    const calls = extras.flatMap(([id, extra]): [string, JsonObject][] => (extra ? [[id, extra]] : []));
    const content: EchoContent = {
      ...(this.reasoningContent !== '' && { reasoning_content: this.reasoningContent }),
      ...(this.details.whole.length > 0 && { reasoning_details: this.details.whole }),
      ...(this.extra && { extra_content: this.extra }),
      ...(calls.length > 0 && { calls }),
    };
    return Object.keys(content).length > 0 ? content : null;
  }
}
