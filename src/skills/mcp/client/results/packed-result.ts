import {
  type CallToolResult,
  type ContentBlock,
  isSpecType,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';

const UNKNOWN = 'palabre/unknown';
const STRUCTURED_AS_TOLD = 'palabre/structured';

/** In the place of a part of a result that the client knows nothing of. */
const unknownBlock: ContentBlock = { type: 'text', text: '', _meta: { [UNKNOWN]: true } };

export const isUnknown = ({ _meta }: ContentBlock): boolean => _meta?.[UNKNOWN] === true;

/**
 * A message with a tool's result in which nothing is left that the client would fault: it would throw all of it away,
 * of a call that was carried out. Any other message as it is.
 */
export const withPackedResult = (message: JSONRPCMessage): JSONRPCMessage => {
  if (!('result' in message)) return message;
  const { content, structuredContent, ...others } = message.result;
  if (content === undefined && structuredContent === undefined) return message;
  const result = { ...others, content: blocksOf(content), ...packed(structuredContent) };
  return { ...message, result };
};

/** The result with what the server told as structured, in whatever form that is. */
export const unpackedResult = (result: CallToolResult): CallToolResult => {
  const { structuredContent: told } = result;
  if (typeof told !== 'object' || told === null || !(STRUCTURED_AS_TOLD in told)) return result;
  return { ...result, structuredContent: told[STRUCTURED_AS_TOLD] as CallToolResult['structuredContent'] };
};

const blocksOf = (content: unknown): ContentBlock[] => {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (isSpecType.ContentBlock(block) ? block : unknownBlock));
};

/** The protocol of 2025 has objects alone there. */
const packed = (structured: unknown): { structuredContent?: Record<string, unknown> } =>
  structured === undefined || structured === null
    ? {}
    : { structuredContent: { [STRUCTURED_AS_TOLD]: structured } };
