export {
  CallNotMade,
  type ChatFile,
  type ChatMessage,
  ChatModel,
  type ChatPart,
  type ChatRequest,
  type Echo,
  functionTool,
  IMAGE_TOKENS,
  ModelError,
  type ModelErrorCode,
  type ModelFault,
  objectSchema,
  type ReasoningEffort,
  reasoningEfforts,
  type StopReason,
  type TextSink,
  type TokenUsage,
  type ToolCall,
  type ToolSpec,
} from './chat-model.js';
export { CodeMarks } from './code-marks.js';
export { Embedder } from './embedder.js';
export { OpenAiEmbedder } from './embeddings/openai-embedder.js';
export type { EmbeddingSettings } from './embeddings/openai-embeddings.js';
export type { CircuitName } from './guard/circuit-breaker.js';
export { GuardedChatModel, type ModelCircuit } from './guard/guarded-chat-model.js';
export {
  type ModelFact,
  ModelFacts,
  type ModelInUse,
  type ModelPrice,
  nothingKnown,
  type WindowSource,
} from './models/model-facts.js';
export { ListedModels, shippedModels } from './models/listed-models.js';
export { O200kTokenizer } from './o200k-tokenizer.js';
export type { ModelApi } from './openai/api-choice.js';
export { OpenAiChatModel } from './openai/openai-chat-model.js';
export { checkProvider } from './providers/check-provider.js';
export {
  type ModelAbilities,
  ModelProvider,
  type ModelSettings,
  type ProviderConnection,
} from './providers/model-provider.js';
export { Tokenizer } from './tokenizer.js';
export { toolsBytes, toolsText, toolText } from './tools-text.js';
