import { type ChatMessage, IMAGE_TOKENS, type ToolSpec } from '../chat-model.js';

const charactersPerToken = 4;
const cjk =
  /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]|[\ud840-\ud88d][\udc00-\udfff]/g;

/** A rough count of tokens: one for each Chinese, Japanese or Korean character, one for four others. */
export function estimateTokens(text: string): number {
  let wide = 0;
  let wideUnits = 0;
  for (const [character] of text.matchAll(cjk)) {
    wide += 1;
    wideUnits += character.length;
  }
  return wide + Math.ceil((text.length - wideUnits) / charactersPerToken);
}

export function estimatePrompt(messages: readonly ChatMessage[], tools: readonly ToolSpec[]): number {
  const files = messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
  const words = JSON.stringify([messages, tools], (key, value: unknown) =>
    key === 'files' ? undefined : value,
  );
  return files.reduce(
    (sum, file) => sum + (file.type === 'image' ? IMAGE_TOKENS : estimateTokens(file.text)),
    estimateTokens(words),
  );
}
