import { ChatModel, type ChatPart, type ChatRequest } from './chat-model.js';

/** Sends a request to the provider of the model that it names; those that name none, or no other, to the usual one. */
export class ModelRouter extends ChatModel {
  constructor(
    private readonly usual: ChatModel,
    private readonly others: ReadonlyMap<string, ChatModel>,
  ) {
    super();
  }

  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart> {
    const { model } = request;
    const provider = (model === null ? undefined : this.others.get(model)) ?? this.usual;
    return provider.stream(request, signal);
  }
}
