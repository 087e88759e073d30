import { readChatChunk, type ChatChunk } from './chat-chunk.js';

/** After this many misses the fast path is given up: the provider's chunks vary too much. */
const maxUselessLessons = 8;
const usesThatPay = 8;
const probe = 'probe';

/**
 * Reads a chunk that differs from an earlier one only in its text, without parsing. Between the learnt prefix and
 * suffix, a text without quote and backslash can only be the value of `content`.
 */
export class ContentFastPath {
  private prefix = '';
  private suffix = '';
  private uses = 0;
  private uselessLessons = 0;

  /** The text of the chunk, or null where it has to be parsed. */
  read(data: string): string | null {
    const { prefix, suffix } = this;
    if (prefix === '' || data.length <= prefix.length + suffix.length) return null;
    if (!data.startsWith(prefix) || !data.endsWith(suffix)) return null;
    const text = data.slice(prefix.length, data.length - suffix.length);
    if (text.includes('"') || text.includes('\\')) return null;
    this.uses += 1;
    return text;
  }

  /** Learns from a parsed chunk that has only text. */
  learn(data: string, chunk: ChatChunk): void {
    if (!isTextAlone(chunk)) return;
    if (this.uses >= usesThatPay) this.uselessLessons = 0;
    if (this.uselessLessons >= maxUselessLessons) return;
    this.uselessLessons += 1;
    const value = JSON.stringify(chunk.text);
    const key = ['"content":', '"content": '].find((text) => data.includes(text + value));
    if (key === undefined) return;
    const start = data.indexOf(key + value) + key.length;
    const prefix = data.slice(0, start + 1);
    const suffix = data.slice(start + value.length - 1);
    // The same words may occur twice in the chunk. A probe shows whether this is the right place.
    const other = readChatChunk(JSON.parse(`${prefix}${probe}${suffix}`), { useMessage: false });
    if (!isTextAlone(other) || other.text !== probe || other.model !== chunk.model) return;
    this.prefix = prefix;
    this.suffix = suffix;
    this.uses = 0;
  }
}

function isTextAlone({ text, reasoning, fragments, echo, finishReason, usage, error }: ChatChunk): boolean {
  return (
    text !== '' &&
    reasoning === '' &&
    fragments.length === 0 &&
    echo === null &&
    finishReason === null &&
    usage === null &&
    error === null
  );
}
